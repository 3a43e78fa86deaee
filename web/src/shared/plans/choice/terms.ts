import type { Offer, OfferedTerm } from "../types";

export type TermName = OfferedTerm["term"];

/** What is shown before anybody chose: a year. */
export const USUAL_TERM: TermName = "1_year";

/** How long a term is, by its name. */
export function monthsOf(term: TermName): number {
  return term === "month_to_month" ? 1 : 12 * Number(term[0]);
}

/** The terms of all offers, shortest first. */
export function termsOf(offers: readonly Offer[]): TermName[] {
  const months = new Map(
    offers.flatMap(({ terms }) => terms.map(({ term, months }) => [term, months] as const)),
  );
  return [...months].sort(([, one], [, other]) => one - other).map(([term]) => term);
}

/** Whole per cent that a term takes off the price of so many single months; the least among the offers, none below one. */
export function savedBy(term: TermName, offers: readonly Offer[]): number {
  const saved = offers.flatMap(({ terms }) => {
    const whole = terms.find((one) => one.term === term);
    const month = terms.find((one) => one.months === 1);
    if (!whole || !month || month.amount === 0) return [];
    return [1 - whole.amount / (month.amount * whole.months)];
  });
  return saved.length ? Math.max(Math.floor(Math.min(...saved) * 100 + 1e-9), 0) : 0;
}

/** The plan for this term, or for the nearest shorter one that it is sold for; else for its shortest. */
export function atTerm({ terms }: Offer, term: TermName): OfferedTerm | undefined {
  const wanted = monthsOf(term);
  const inOrder = terms.toSorted((one, other) => one.months - other.months);
  return inOrder.findLast(({ months }) => months <= wanted) ?? inOrder[0];
}
