import type { Action } from "../calls";
import type { Run } from "../session-hook";

export const ERASE = "erase_device";

/** Commands that move, open or wake a car are held down, each time anew (rulings); what stops one is not. */
export const HELD: ReadonlySet<string> = new Set([
  "arm",
  "disarm",
  "panic_on",
  "remote_start",
  "trunk",
  "remote_aux1",
  "remote_aux2",
  ERASE,
]);

export function isHeld(action: Action): boolean {
  return action.type === "ACT" && HELD.has(action.command);
}

/** Whether its button stands on the step that is shown. */
export function isOnBench(run: Run, action: Action): boolean {
  return action.type === "ACT" && run.answer.view.commands.includes(action.command);
}
