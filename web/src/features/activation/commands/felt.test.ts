import { renderHook } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { CommandRow } from "../types";
import { feelOf, useFelt } from "./felt";

const row = (id: string, state: CommandRow["state"]) => ({ id, state }) as CommandRow;

afterEach(() => Reflect.deleteProperty(navigator, "vibrate"));

test("a command is felt once, when it settles while it is looked at", () => {
  const vibrate = vi.fn();
  Object.assign(navigator, { vibrate });
  const { rerender } = renderHook((rows: CommandRow[]) => useFelt(rows), {
    initialProps: [row("a", "confirmed"), row("b", "sent")],
  });
  expect(vibrate).not.toHaveBeenCalled();
  rerender([row("a", "confirmed"), row("b", "confirmed")]);
  rerender([row("a", "confirmed"), row("b", "confirmed"), row("c", "queued")]);
  expect(vibrate.mock.calls).toEqual([[[60]]]);
});

test("what failed feels otherwise than what is done, and what is under way is not felt", () => {
  expect(feelOf(row("a", "refused"))).toEqual(feelOf(row("a", "timed_out")));
  expect(feelOf(row("a", "refused"))).not.toEqual(feelOf(row("a", "confirmed_late")));
  expect(feelOf(row("a", "unknown"))).toBeUndefined();
});
