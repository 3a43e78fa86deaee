/** An amount as pages of either language write it, for the server: its last mark parts the cents off, if at most two digits
 * follow, and all others part thousands. */
export function soughtAmount(typed: string): string {
  const [, whole = "", cents] = /^(.*?)(?:[.,](\d{0,2}))?$/.exec(typed) ?? [];
  const dollars = whole.replaceAll(/\D/g, "");
  return cents ? `${dollars || "0"}.${cents}` : dollars;
}
