import type { I18n, MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { Schemas } from "~/shared/api/client";
import { wordsFor } from "~/shared/api/error-words";
import { KIND_WORDS as WORDS_OF_KINDS } from "~/shared/api/run-words.gen";
import type { How, Run, RunKind, RunList, Thing } from "./queries";

export { TURN_WORDS } from "~/shared/flow/words";

export const KIND_WORDS: Record<RunKind, MessageDescriptor> = WORDS_OF_KINDS;

export const SHOWN_WORDS: Record<RunList, MessageDescriptor> = {
  all: msg`All`,
  open: msg`Open`,
  stuck: msg`Stuck`,
  retrying: msg`Trying again and again`,
  attention: msg`Needs attention`,
  ended: msg`Ended`,
};

export const THING_WORDS: Record<Thing["kind"], MessageDescriptor> = {
  device: msg`Device`,
  order: msg`Order`,
  receipt: msg`Receipt`,
  invoice: msg`Invoice`,
  person: msg`Person`,
  business: msg`Business`,
};

/** What the reconciler puts right, by the server's name of it. */
export const REPAIR_WORDS: Record<string, MessageDescriptor> = {
  "projection shown again": msg`Runs shown again as they are`,
  "run shown for the first time": msg`Runs that nobody could see`,
  "run given up": msg`Runs ended from outside`,
  "order taken up again": msg`Orders taken up again`,
  "visit taken up again": msg`Requests for visits taken up again`,
  "run taken up again": msg`Other runs taken up again`,
  "reservation released": msg`Devices released`,
  "device log sent again": msg`Device logs sent again`,
  "claim of a dead process freed": msg`Requests of dead processes freed`,
  "outcome of an effect found": msg`Effects whose outcome was found`,
} satisfies Record<Schemas["Repair"], MessageDescriptor>;

/** What runs have to wait for, by the name that the server counts its calls under. */
const PART_WORDS = {
  "device network": msg`device network`,
  mail: msg`mail`,
  ERP: msg`ERP`,
  "card provider": msg`card provider`,
  "ACH/COD gateway": msg`ACH/COD gateway`,
} satisfies Record<Schemas["Part"], MessageDescriptor>;

/** Outside systems, likewise; brands are as they are. */
export const SYSTEM_WORDS: Record<string, MessageDescriptor> = {
  ...PART_WORDS,
  content: msg`content`,
  "bot check": msg`bot check`,
  "VIN decoder": msg`VIN decoder`,
  "3rd party wiring": msg`3rd party wiring`,
};

/** What a round of the reconciler does, by the server's name of each part. */
export const ROUND_WORDS: Record<string, MessageDescriptor> = {
  "compare rows with runs": msg`compare rows with runs`,
  "find unseen runs": msg`find unseen runs`,
  "release devices": msg`release devices`,
  "send logs again": msg`send logs again`,
  "free claims": msg`free claims`,
  "settle effects": msg`settle effects`,
  "note the round": msg`note the round`,
};

/** The server's name of something in the reader's words; as it came where the page knows none. */
export function inWords(
  i18n: I18n,
  words: Readonly<Partial<Record<string, MessageDescriptor>>>,
  name: string,
): string {
  const known = words[name];
  return known ? i18n._(known) : name;
}

/** Codes whose words are for whoever can only wait: operators read what the server says. */
const SAY_LITTLE = new Set(["unexpected", "unavailable", "provider_unavailable", "provider_busy"]);

/** What is wrong with a run, by the code of its last error. */
export function troubleOf(i18n: I18n, run: Pick<Run, "kind" | "error" | "error_code">) {
  const { kind, error, error_code: code } = run;
  if (!error || !code || SAY_LITTLE.has(code)) return error;
  const words = wordsFor({ code, detail: error, run: kind });
  return typeof words === "string" ? words : i18n._(words);
}

/** What an operator can do about a run that needs attention, by the code of its last error. */
const ADVICE: Record<string, MessageDescriptor> = {
  install_refused: msg`The device network activated the device and refused to install it. Install it in the network's own console, or activate it again as a service device.`,
  payment_unclear: msg`Nobody can tell what became of the payment. Look for it at the payment provider; trying again looks it up and charges nobody twice.`,
  hand_over_unclear: msg`The ERP did not take the order in all that time. Look whether it has it, then try again or give it up.`,
  capture_unclear: msg`The order is at the ERP, and its payment could not be taken. Take it at the payment provider, or try again.`,
  undoing_unclear: msg`Not everything of this order could be taken back. Look at the payment provider and the ERP, then try again.`,
  refund_refused: msg`The payment provider refuses to give the money back. Ask it why, try again, or pay the buyer in another way and resolve the case.`,
  for_a_person: msg`Find out what was delivered for this money. Trying again pays all of it back. Where a bank took back a part of what invoices were paid with, trying again changes nothing: put them right at the ERP, and resolve the case.`,
  disputed: msg`Send the evidence to the bank at the payment provider's page before the case is due, or accept the chargeback there. What the bank decides is heard by itself.`,
  provider_away: msg`The payment provider did not answer in all that time. Try again when it does.`,
  lines_failed: msg`Some of these devices have no plan yet, and the buyer was asked twice and has not said what to do. Ask them. Giving up pays back what those devices cost; the others keep their plans.`,
  run_lost: msg`The run was ended from outside while money was held or taken. Look at the payment provider for what it holds, and at the ERP or the device network for what was delivered; whether there is a case says the list of cases.`,
  not_swappable: msg`The device network refused the swap. Compare the states of both devices in the network's own console before anybody tries again.`,
};

/** What fits where an order's placement stands, the likeliest first. */
export const WAYS: Record<string, readonly How[]> = {
  payment_unclear: ["retry", "cancel"],
  hand_over_unclear: ["retry", "cancel"],
  capture_unclear: ["retry", "confirmed"],
  undoing_unclear: ["retry", "undone"],
};

export const HOW_WORDS: Record<How, MessageDescriptor> = {
  retry: msg`Try again`,
  cancel: msg`Take everything back`,
  confirmed: msg`It was paid by hand`,
  undone: msg`It was taken back by hand`,
};

const PAYMENT_UNCLEAR = msg`Nobody can tell what became of the payment. It is looked up again and again, and let go of in the end, so that nobody is charged twice. Look for it at the payment provider; you may also let go of it at once.`;

/** The same where its last error has no advice of its own. */
const ADVICE_OF_KIND: Partial<Record<RunKind, MessageDescriptor>> = {
  activation: msg`The device is activated at the device network, and this run did not come to its end. Find out with the dealer whether it is in use; activate it again as a service device, or take it back at the network.`,
  purchase: PAYMENT_UNCLEAR,
  invoice_payment: PAYMENT_UNCLEAR,
};

const ANY_ADVICE = msg`Find out why it does not go on, and write down what was done about it.`;

export function adviceFor(run: Run): MessageDescriptor {
  return ADVICE[run.error_code ?? ""] ?? ADVICE_OF_KIND[run.kind] ?? ANY_ADVICE;
}
