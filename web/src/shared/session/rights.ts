import type { Session } from "./session";

/** Whether the person may let a weak device be updated (policy `overrule_firmware_run`). */
export function mayOverrule(now: Session): boolean {
  if (now.state === "anonymous") return false;
  return now.user.roles.some((role) => role === "owner" || role === "admin");
}
