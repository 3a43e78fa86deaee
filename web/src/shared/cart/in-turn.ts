let last: Promise<unknown> = Promise.resolve();

/** Changes of carts go one after the other, so that each finds what the one before has made. */
export function inTurn<Answer>(change: () => Promise<Answer>): Promise<Answer> {
  const next = last.then(change);
  last = next.catch(() => undefined);
  return next;
}
