import type { Quote, QuoteLine } from "./types";

/** What has become of a line since the buyer looked at it. */
export type LineChange = {
  name: string;
  sku: string;
  price?: { before: number | null; after: number | null };
  parts?: { now: number; later: number };
  gone?: true;
};

export type Changes = {
  lines: readonly LineChange[];
  total?: { before: number; after: number };
};

/**
 * What a buyer must say yes to before paying: prices, what comes when, articles that cannot be bought any more, the
 * total. Nothing when the order is what was looked at.
 */
export function changesBetween(seen: Quote, fresh: Quote): Changes | undefined {
  const lines = seen.lines.flatMap((line) => {
    const now = fresh.lines.find(({ variant_id }) => variant_id === line.variant_id);
    const change = now && changeOf(line, now);
    return change ? [change] : [];
  });
  const total = seen.total === fresh.total ? undefined : { before: seen.total, after: fresh.total };
  const others = fresh.lines.length !== seen.lines.length;
  if (lines.length === 0 && !total && !others) return undefined;
  return { lines, ...(total ? { total } : {}) };
}

function changeOf(before: QuoteLine, after: QuoteLine): LineChange | undefined {
  const change: LineChange = { name: after.name, sku: after.sku };
  if (before.unit_price !== after.unit_price)
    change.price = { before: before.unit_price, after: after.unit_price };
  if (before.now !== after.now || before.later !== after.later)
    change.parts = { now: after.now, later: after.later };
  if (after.fault && !before.fault) change.gone = true;
  return change.price || change.parts || change.gone ? change : undefined;
}
