/** A key for one intent. Sending the same intent again takes the same key, so that nothing is done twice. */
export function newKey(): string {
  return crypto.randomUUID?.() ?? random(16);
}

/** So many random bytes in hexadecimal digits. */
export function random(bytes: number): string {
  return [...crypto.getRandomValues(new Uint8Array(bytes))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
