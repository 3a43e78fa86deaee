import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { VisitState } from "./queries";

export const STATE_WORDS: Record<VisitState, MessageDescriptor> = {
  waiting: msg`Waiting for the owner`,
  permitted: msg`Permitted`,
  refused: msg`Refused`,
  lapsed: msg`Not answered in time`,
  ended: msg`Ended`,
};
