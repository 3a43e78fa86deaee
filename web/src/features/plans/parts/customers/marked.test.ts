import { act, renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { useMarked } from "./marked";

const [A, B, C] = [{ id: "a" }, { id: "b" }, { id: "c" }] as const;

test("at the most nothing more is ticked, and nothing is dropped, until one is taken back", () => {
  const { result } = renderHook(() => useMarked([A, B, C], 2));
  for (const row of [A, B]) act(() => result.current.mark(row, true));
  expect(result.current.isFull).toBe(true);
  act(() => result.current.mark(C, true));
  expect(result.current.marked).toEqual([A, B]);
  expect(result.current.isMarked(C)).toBe(false);
  act(() => result.current.mark(A, false));
  act(() => result.current.mark(C, true));
  expect(result.current.marked).toEqual([B, C]);
  act(() => result.current.clear());
  expect(result.current.isFull).toBe(false);
});

test("what a filter hides stays ticked as it was last, and is counted", () => {
  type Row = { id: string; state: string };
  const row = (id: string, state: string): Row => ({ id, state });
  const all = [row("a", "active"), row("b", "active")];
  const { result, rerender } = renderHook(({ rows }) => useMarked(rows, 9), {
    initialProps: { rows: all },
  });
  for (const one of all) act(() => result.current.mark(one, true));
  expect(result.current.hidden).toBe(0);
  rerender({ rows: [row("b", "ending")] });
  expect(result.current.marked).toEqual([row("a", "active"), row("b", "ending")]);
  expect(result.current.hidden).toBe(1);
});
