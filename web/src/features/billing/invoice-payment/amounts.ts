/** The amount in dollars; undefined for what is none: nothing, below a cent, or with parts of a cent. */
export function amountIn(text: string): number | undefined {
  if (!/^\d+(\.\d{0,2})?$|^\.\d{1,2}$/.test(text)) return undefined;
  const amount = Number(text);
  return amount > 0 ? amount : undefined;
}

/** An amount as it stands in its field. */
export function written(amount: number): string {
  return amount.toFixed(2);
}

/** Never above what is open. */
export function upTo(open: number, amount: number): number {
  return Math.min(amount, open);
}
