import { type Session, session, useSession, workOf } from "~/shared/session/session";
import { storeOf } from "~/shared/store";
import type { InvoiceSummary } from "./queries";

/** What is known of an invoice that was selected: what settles it today, and what that saves. */
type SelectedInvoice = { number: string; payoff: number; discount: number };

/** The invoices that were selected, by number, in the order in which they were. */
export type Selection = ReadonlyMap<string, SelectedInvoice>;

/** One payment settles no more. */
export const MOST_SELECTED = 200;

const KEY = "selected_invoices";
const NONE: Selection = new Map();

/** A selection belongs to one person and the business that they work for. */
type Stored = { owner: string; selection: Selection };

const present = storeOf<Stored>(restored());

/** The selection of the business that one works for. It outlives a change of page, of filters and a reload. */
export function useSelection(): Selection {
  return selectionIn(present.use(), useSession());
}

/** The same as it is at this moment. */
export function presentSelection(): Selection {
  return selectionIn(present.get(), session());
}

/** Whether something of it can be paid now: it is open, and in no payment. */
export function isPayable({ isPaid, inPayment }: InvoiceSummary): boolean {
  return !isPaid && inPayment === null;
}

/** Selects these too, or brings what is known of them up to date; what is not payable or above the most is left out. */
export function select(invoices: readonly InvoiceSummary[]): void {
  store((selection) => {
    for (const invoice of invoices) {
      if (!isPayable(invoice)) selection.delete(invoice.number);
      else if (selection.has(invoice.number) || selection.size < MOST_SELECTED)
        selection.set(invoice.number, selected(invoice));
    }
  });
}

/** Selects these and no others. */
export function selectOnly(invoices: readonly InvoiceSummary[]): void {
  store((selection) => selection.clear());
  select(invoices);
}

export function deselect(numbers: Iterable<string>): void {
  store((selection) => {
    for (const number of numbers) selection.delete(number);
  });
}

/** Brings what is known of the selected ones among these up to date. */
export function refresh(invoices: readonly InvoiceSummary[]): void {
  const { owner, selection } = present.get();
  if (owner !== ownerIn(session())) return;
  const stale = invoices.filter((invoice) => {
    const known = selection.get(invoice.number);
    return (
      known &&
      (!isPayable(invoice) ||
        known.payoff !== invoice.payoffAmount.amount ||
        known.discount !== invoice.discount.amount)
    );
  });
  if (stale.length > 0) select(stale);
}

/** How many, what settles them today, and what that saves; added in cents, so that nothing is lost. */
export function sumOf(selection: Selection): { count: number; toPay: number; discount: number } {
  let toPay = 0;
  let discount = 0;
  for (const invoice of selection.values()) {
    toPay += Math.round(invoice.payoff * 100);
    discount += Math.round(invoice.discount * 100);
  }
  return { count: selection.size, toPay: toPay / 100, discount: discount / 100 };
}

function selected({ number, payoffAmount, discount }: InvoiceSummary): SelectedInvoice {
  return { number, payoff: payoffAmount.amount, discount: discount.amount };
}

function selectionIn({ owner, selection }: Stored, now: Session): Selection {
  return owner === ownerIn(now) ? selection : NONE;
}

function ownerIn(now: Session): string {
  if (now.state === "anonymous") return "";
  return `${now.user.id} ${workOf(now)?.business?.code ?? now.user.partner_code ?? ""}`;
}

function store(change: (selection: Map<string, SelectedInvoice>) => void): void {
  const owner = ownerIn(session());
  const selection = new Map(presentSelection());
  change(selection);
  present.set({ owner, selection });
  sessionStorage.setItem(KEY, JSON.stringify([owner, [...selection.values()]]));
}

function restored(): Stored {
  const nothing = { owner: "", selection: NONE };
  try {
    const [owner, invoices] = JSON.parse(sessionStorage.getItem(KEY) ?? "[]") as unknown[];
    if (typeof owner !== "string" || !Array.isArray(invoices)) return nothing;
    const sound = invoices.filter(isSelected).slice(0, MOST_SELECTED);
    return { owner, selection: new Map(sound.map((one) => [one.number, one])) };
  } catch {
    return nothing;
  }
}

function isSelected(one: unknown): one is SelectedInvoice {
  const { number, payoff, discount } = (one ?? {}) as Partial<SelectedInvoice>;
  return typeof number === "string" && typeof payoff === "number" && typeof discount === "number";
}
