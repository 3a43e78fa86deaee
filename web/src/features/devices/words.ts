import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";

/** Steps and types of activations are named by their own feature; the page that puts both together hands them over. */
export type ActivationWords = {
  step: Record<string, MessageDescriptor>;
  type: Record<string, { name: MessageDescriptor }>;
};

export const STATE_WORDS: Record<string, MessageDescriptor> = {
  new: msg`New`,
  activated: msg`Activated`,
  installed: msg`Installed`,
  paused: msg`Paused`,
};

export const OUTCOME_WORDS: Record<string, MessageDescriptor> = {
  completed: msg`Completed`,
  abandoned: msg`Abandoned`,
  refused: msg({ message: "Refused", context: "activation" }),
  needs_attention: msg`Needs attention`,
  "choose-type": msg`Type chosen again`,
};

/** States of an activation beside its steps. */
export const PLACE_WORDS: Record<string, MessageDescriptor> = {
  checking: msg`Checking the device`,
  "changing-device": msg`Changing the device`,
  ...OUTCOME_WORDS,
};

export const LOG_WORDS: Record<string, MessageDescriptor> = {
  report: msg`Report`,
  location: msg`Location`,
  command: msg`Command`,
  firmware: msg`Firmware`,
};

/** Commands of the firmware's own that a log confirms. */
export const CONFIRMED_WORDS: Record<string, MessageDescriptor> = {
  C42: msg`Firmware downloaded`,
  R42: msg`Firmware updated`,
};
