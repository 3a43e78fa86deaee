import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";

export const STATE_WORDS: Record<string, MessageDescriptor> = {
  waiting: msg`Waiting for the owner`,
  permitted: msg`Permitted`,
  refused: msg`Refused`,
  lapsed: msg`Not answered in time`,
  ended: msg`Ended`,
};
