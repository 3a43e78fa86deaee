import { act, renderHook } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { storeOf } from "./store";

test("what is set is told to components and listeners, until they leave", () => {
  const count = storeOf(1);
  const listener = vi.fn();
  const leave = count.on(listener);
  const shown = renderHook(() => count.use()).result;
  act(() => count.set(2));
  expect([count.get(), shown.current]).toEqual([2, 2]);
  leave();
  act(() => count.set(3));
  expect(shown.current).toBe(3);
  expect(listener).toHaveBeenCalledTimes(1);
});
