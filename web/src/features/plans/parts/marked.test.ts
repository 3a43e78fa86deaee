import { act, renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { useMarked } from "./marked";

test("at the most nothing more is ticked, and nothing is dropped, until one is taken back", () => {
  const { result } = renderHook(() => useMarked(2));
  for (const id of ["a", "b"]) act(() => result.current.mark(id, true));
  expect(result.current.isFull).toBe(true);
  act(() => result.current.mark("c", true));
  expect([...result.current.marked]).toEqual(["a", "b"]);
  act(() => result.current.mark("a", false));
  act(() => result.current.mark("c", true));
  expect([...result.current.marked]).toEqual(["b", "c"]);
  act(() => result.current.clear());
  expect(result.current.isFull).toBe(false);
});
