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

/** Whether its button stands on the present step, and why it failed beside it. */
export function isOnStep({ answer: { view }, step }: Run, action: Action): boolean {
  switch (action.type) {
    case "ACT":
      return view.commands.includes(action.command);
    case "SET_PIN":
      return step === "keylocker-pin-codes";
    case "SET_FEATURE":
      return step === "system-settings" && (view.toggles ?? []).includes(action.feature);
    case "FIRMWARE_RETRY":
    case "FIRMWARE_CANCEL":
    case "FIRMWARE_DEFER":
    case "FIRMWARE_OVERRULE":
      return (
        Boolean(view.facts.firmware) &&
        (step === "check-firmware" || (step === "device-testing" && Boolean(view.beside)))
      );
    default:
      return false;
  }
}
