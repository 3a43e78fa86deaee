import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { Tone } from "~/shared/ui/notes/status";

/** States of a firmware update, in words. */
export const STATE_WORDS: Record<string, { tone: Tone; words: MessageDescriptor }> = {
  starting: { tone: "wait", words: msg`Starting` },
  weak: { tone: "fail", words: msg`Too weak to update` },
  download_sent: { tone: "wait", words: msg`Downloading` },
  downloaded: { tone: "wait", words: msg`Downloaded` },
  update_sent: { tone: "wait", words: msg`Updating` },
  verifying: { tone: "wait", words: msg`Checking the new version` },
  verified: { tone: "ok", words: msg`Updated` },
  retry_wait: { tone: "wait", words: msg`Waiting to try again` },
  waiting_online: { tone: "wait", words: msg`Waiting for the device` },
  deferred: { tone: "wait", words: msg`Deferred` },
  failed: { tone: "fail", words: msg`Failed` },
  failed_for_good: { tone: "fail", words: msg`Failed` },
  done: { tone: "ok", words: msg`Done` },
  cancelled: { tone: "plain", words: msg({ message: "Cancelled", context: "firmware update" }) },
};

/** A part's name is its own in every language but for the main device. */
export const TARGET_WORDS: Record<string, MessageDescriptor> = {
  main: msg`Main device`,
  kl1: msg`KeyLocker`,
};

/** What the run itself says of a failure. */
export const RUN_ERRORS: Record<string, MessageDescriptor> = {
  "The device reported a failure.": msg`The device reported a failure.`,
  "The device did not confirm in time.": msg`The device did not confirm in time.`,
  "The run was ended from outside; it can be begun anew.": msg`The update was ended from outside; it can be begun anew.`,
  "The device could not be reached.": msg`The device could not be reached.`,
  "The device still reports its old version after the update.": msg`The device still reports its old version after the update.`,
};

/** What the network is known to say where it does not take the command: no device has said anything then. */
export const REFUSALS: Record<string, MessageDescriptor> = {
  "This firmware is not offered to the device.": msg`The update was refused: this version is not offered to the device.`,
  "The device has no such part.": msg`The update was refused: the device has no such part.`,
  "This firmware is not downloaded yet.": msg`The update was refused: the device does not hold the new version.`,
  "The device does not know this command.": msg`The update was refused: the device does not know this command.`,
  "The device refused the command.": msg`The update was refused: the device did not take the command.`,
  "This device is blocked.": msg`The update was refused: the device is blocked.`,
};

/** What devices are known to say. */
export const DEVICE_ERRORS: Record<string, MessageDescriptor> = {
  "checksum mismatch": msg`What arrived at the device was not whole.`,
  "flash verification failed": msg`The device checked the new version after it was written, and found it faulty.`,
};
