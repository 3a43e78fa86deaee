import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";

type Words = Record<string, MessageDescriptor> & { ended: MessageDescriptor };

export const STATE_WORDS: Words = {
  waiting: msg`Waiting for the owner`,
  permitted: msg`Permitted`,
  refused: msg`Refused`,
  lapsed: msg`Not answered in time`,
  ended: msg`Ended`,
};
