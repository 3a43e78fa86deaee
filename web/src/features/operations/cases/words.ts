import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { Tone } from "~/shared/ui/status";
import type { Deed } from "./flow";

type Standing = { state: string };

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

/** What an administrator may do, the likeliest first. */
export const DEEDS: readonly { deed: Deed; words: MessageDescriptor }[] = [
  { deed: "NOTE", words: msg`Write it down` },
  { deed: "RETRY", words: msg`Try again` },
  { deed: "RESOLVE", words: msg`Resolved by hand` },
];

export function toneOfCase({ state }: Standing): Tone {
  if (state === "needs_attention" || state === "suspended") return "fail";
  return state === "solved" || state === "resolved" ? "ok" : "wait";
}
