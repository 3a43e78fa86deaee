import { onLeft } from "~/shared/session/session";
import type { DeviceFound } from "../types";

export type Entered = { device_key: string; iccid_last_digits?: string; found: DeviceFound };

/** The serial number and SIM digits between two screens: in memory only, since the digits prove possession, and no longer than their person. */
let held: Entered | undefined;

export function remember(entered: Entered): void {
  held = entered;
}

export function recalled(deviceKey: string | undefined): Entered | undefined {
  return held && held.device_key === deviceKey ? held : undefined;
}

onLeft(() => {
  held = undefined;
});
