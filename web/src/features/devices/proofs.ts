/** SIM digits that were typed for a device: in memory only, since they prove possession. */
const held = new Map<string, string>();

export function keepProof(deviceKey: string, digits: string): void {
  held.set(deviceKey, digits);
}

export function proofOf(deviceKey: string): string | undefined {
  return held.get(deviceKey);
}
