/** An amount as it stands in its field. */
export function written(amount: number): string {
  return amount.toFixed(2);
}

/** Never above what is open. */
export function upTo(open: number, amount: number): number {
  return Math.min(amount, open);
}
