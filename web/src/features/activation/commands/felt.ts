import { useEffect, useRef } from "react";
import type { CommandRow } from "../types";

const DONE = [60];
const FAILED = [60, 80, 60];

/** What a settled command feels like in the hand, where a device can; nothing for one that is under way. */
export function feelOf({ state }: Pick<CommandRow, "state">): readonly number[] | undefined {
  if (state === "confirmed" || state === "confirmed_late") return DONE;
  return state === "timed_out" || state === "refused" ? FAILED : undefined;
}

/** Lets each command be felt once, when it settles; what had settled before is not felt again. */
export function useFelt(rows: readonly CommandRow[]): void {
  const felt = useRef<Set<string>>(undefined);
  useEffect(() => {
    const settled = rows.flatMap((row) => (feelOf(row) ? [row.id] : []));
    const before = felt.current;
    felt.current = new Set(settled);
    const fresh = before && rows.findLast(({ id }) => settled.includes(id) && !before.has(id));
    const feel = fresh && feelOf(fresh);
    if (feel) navigator.vibrate?.([...feel]);
  }, [rows]);
}
