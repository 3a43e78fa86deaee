import { onLeft } from "~/shared/session/session";

/** SIM digits that were typed for a device: in memory only, since they prove possession, and no longer than their person. */
const held = new Map<string, string>();

export function keepProof(deviceKey: string, digits: string): void {
  held.set(deviceKey, digits);
}

export function proofOf(deviceKey: string): string | undefined {
  return held.get(deviceKey);
}

onLeft(() => held.clear());
