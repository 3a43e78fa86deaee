/** A key for one intent. Sending the same intent again takes the same key, so that nothing is done twice. */
export function newKey(): string {
  return crypto.randomUUID?.() ?? [...crypto.getRandomValues(new Uint8Array(16))].map(hex).join("");
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}
