const KEY = "pay_link";

/**
 * The secret of the link that was opened. It stays in this tab, so that a payer who confirms at their bank comes back to
 * it; no address but the one that was opened holds it.
 */
export function tokenIn(hash: string): string | undefined {
  const given = hash.replace(/^#/, "");
  if (given) sessionStorage.setItem(KEY, given);
  return given || sessionStorage.getItem(KEY) || undefined;
}
