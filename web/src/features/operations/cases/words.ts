import type { I18n, MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { CAUSE_WORDS } from "~/shared/cases/words";
import type { Tone } from "~/shared/ui/notes/status";
import type { Deed } from "./flow";
import type { Case } from "./queries";

type Standing = { state: string };
type Thing = Case["belongs_to"];

/** Where a case stands, by the server's name of it. */
const STATE_WORDS: Record<string, MessageDescriptor> = {
  working: msg`Being worked on`,
  waiting: msg`Waiting for the next try`,
  needs_attention: msg`Needs attention`,
  owed: msg`Waiting for the buyer to pay`,
  charging: msg`Charging`,
  suspending: msg`Suspending what was not paid`,
  suspended: msg`Suspended until it is paid`,
  restoring: msg`Restoring what was held`,
  solved: msg`Solved`,
  resolved: msg`Resolved by hand`,
};

/** A state that this page does not know is worked on. */
export function wordsOf({ state }: Standing): MessageDescriptor {
  return STATE_WORDS[state] ?? msg`Being worked on`;
}

/** Why there is a case, where the buyer's words are not an administrator's. */
const CAUSES: Partial<Record<Case["cause"], MessageDescriptor>> = {
  debit_returned: msg`The buyer's bank returned the payment`,
  run_lost: msg`A run was interrupted, and something was paid`,
};

export function causeOf({ cause }: Pick<Case, "cause">): MessageDescriptor {
  return CAUSES[cause] ?? CAUSE_WORDS[cause];
}

/** Whether a bank took money from us, which the buyer is to pay again: nothing is to be paid back. */
export const isOwed = ({ cause }: Pick<Case, "cause">) =>
  cause === "debit_returned" || cause === "chargeback";

/** Where what is owed ends by a word alone: everything that is held goes on, and nobody is asked for it any more. */
const WAIVING: readonly string[] = ["owed", "suspended"];

const HEADINGS: Record<Exclude<Thing["kind"], "order">, MessageDescriptor> = {
  cart: msg`Case of a cart`,
  purchase: msg`Case of a purchase of plans`,
  invoice_payment: msg`Case of a payment of invoices`,
};

/** A text of its own for each: what a case is "of" is no part of a sentence in every language. */
export function headingOf(i18n: I18n, { kind, name, number }: Thing): string {
  if (kind !== "order") return i18n._(HEADINGS[kind]);
  return i18n._(number ? msg`Case of order ${number}` : msg`Case: ${name}`);
}

/** What an administrator may do, the likeliest first. */
const DEEDS: readonly { deed: Deed; words: MessageDescriptor }[] = [
  { deed: "NOTE", words: msg`Write it down` },
  { deed: "RETRY", words: msg`Try again` },
  { deed: "RESOLVE", words: msg`Resolved by hand` },
];

export function deedsIn(state: string): readonly Doing[] {
  const waives = WAIVING.includes(state);
  return DEEDS.map(({ deed, words }) => ({
    deed,
    words: waives && deed === "RESOLVE" ? msg`It was paid by hand: let everything go on` : words,
    isMain: deed === (waives ? "NOTE" : "RESOLVE"),
  }));
}

type Doing = { deed: Deed; words: MessageDescriptor; isMain: boolean };

export function toneOfCase({ state }: Standing): Tone {
  if (state === "needs_attention" || state === "suspended") return "fail";
  return state === "solved" || state === "resolved" ? "ok" : "wait";
}
