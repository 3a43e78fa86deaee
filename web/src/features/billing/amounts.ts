/** The cents of a small deposit: `32`, `.32`, `0.32`, `$0,32`. Nothing for what is not between 1 and 99 cents. */
export function readCents(text: string): number | undefined {
  const found = /^\$?\s*(?:0?[.,])?(\d{1,2})\s*\$?$/.exec(text.trim());
  if (!found) return undefined;
  const isPart = /[.,]/.test(text);
  const digits = isPart ? (found[1] ?? "").padEnd(2, "0") : (found[1] ?? "");
  const cents = Number(digits);
  return cents >= 1 ? cents : undefined;
}
