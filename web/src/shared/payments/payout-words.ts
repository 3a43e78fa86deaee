import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { Schemas } from "~/shared/api/client";
import type { Tone } from "~/shared/ui/notes/status";

export type PayoutState = Schemas["PayoutOut"]["state"];

type Words = { said: MessageDescriptor; tone: Tone };

/** Where the rewards of a month stand. */
export const PAYOUT_WORDS: Record<PayoutState, Words> = {
  collecting: { said: msg`The month goes on`, tone: "plain" },
  due: { said: msg`To be paid`, tone: "wait" },
  carried: { said: msg`Carried into the next month`, tone: "plain" },
  waiting: { said: msg`Waits for the payout account`, tone: "wait" },
  paying: { said: msg`Being paid`, tone: "wait" },
  paid: { said: msg`Paid`, tone: "ok" },
  refused: { said: msg`Refused`, tone: "fail" },
  returned: { said: msg`Came back`, tone: "fail" },
  settled: { said: msg`Settled otherwise`, tone: "ok" },
};
