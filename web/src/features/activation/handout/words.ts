import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";

/** Command → what its owner does with it from the app. */
export const APP_WORDS: Record<string, MessageDescriptor> = {
  location: msg`Find the vehicle on the map`,
  arm: msg`Lock and arm`,
  disarm: msg`Unlock and disarm`,
  remote_start: msg`Start the engine from afar`,
  remote_stop: msg`Stop the engine from afar`,
  trunk: msg`Open the trunk`,
  panic_on: msg`Sound the alarm`,
  remote_aux1: msg`Switch the first extra`,
  remote_aux2: msg`Switch the second extra`,
};
