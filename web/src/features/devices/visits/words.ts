import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { VisitState } from "./queries";

export const STATE_WORDS: Record<VisitState, MessageDescriptor> = {
  waiting: msg`Waiting for the owner`,
  permitted: msg`Permitted`,
  refused: msg({ message: "Refused", context: "visit" }),
  lapsed: msg`Not answered in time`,
  ended: msg({ message: "Ended", context: "visit" }),
};

/** Of many, as the tabs of the list say it. */
export const TAB_WORDS: Record<VisitState, MessageDescriptor> = {
  waiting: STATE_WORDS.waiting,
  permitted: msg({ message: "Permitted", context: "visits" }),
  refused: msg({ message: "Refused", context: "visits" }),
  lapsed: STATE_WORDS.lapsed,
  ended: msg({ message: "Ended", context: "visits" }),
};
