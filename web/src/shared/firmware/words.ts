import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { Tone } from "~/shared/ui/status";

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
  cancelled: { tone: "plain", words: msg`Cancelled` },
};

/** A part's name is its own in every language but for the main device. */
export const TARGET_WORDS: Record<string, MessageDescriptor> = {
  main: msg`Main device`,
  kl1: msg`KeyLocker`,
};
