import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { declineWords } from "~/shared/plans/words";

/** What the portal says of a payment that its provider did not let go of: nobody knows that nothing was charged. */
const LEFT_WORDS: readonly (readonly [string, MessageDescriptor])[] = [
  [
    "The provider did not answer. Whatever it took is paid back.",
    msg`The provider did not answer. Whatever it took is paid back.`,
  ],
  [
    "Your bank is on its way with the money. Whatever arrives is paid back.",
    msg`Your bank is on its way with the money. Whatever arrives is paid back.`,
  ],
  ["What was charged is being paid back.", msg`What was charged is being paid back.`],
];

/** Why a payment came to nothing, and what goes on with it; without `left` nothing was charged. */
export type Failed = { why: MessageDescriptor | string; left: MessageDescriptor | undefined };

/** What a run says of its payments that a case goes on with, the newest or one before it. */
export function leftOf(view: {
  left: string | null;
  payment: { detail: string | null } | null;
  error: { detail: string } | null;
}): MessageDescriptor | undefined {
  const said = [view.error?.detail, view.payment?.detail, view.left];
  return said.map((one) => failedPayment(one).left).find((words) => words !== undefined);
}

/** Takes apart what a payment that came to nothing says of itself. */
export function failedPayment(detail: string | null | undefined): Failed {
  const said = detail ?? "";
  const found = LEFT_WORDS.find(([words]) => said.includes(words));
  const why = found ? said.replace(found[0], "").trim() : said;
  return { why: declineWords(why), left: found?.[1] };
}
