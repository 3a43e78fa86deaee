import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { Tone } from "~/shared/ui/notes/status";
import type { MemoStatus } from "./address";
import type { CreditMemo } from "./queries";

export const MEMO_STATUS_WORDS: Record<MemoStatus, MessageDescriptor> = {
  open: msg({ message: "Open", context: "credit memo" }),
  applied: msg({ message: "Applied", context: "credit memo" }),
};

/** Of many, as the tabs of the list say it. */
export const MEMO_TAB_WORDS: Record<MemoStatus, MessageDescriptor> = {
  open: msg({ message: "Open", context: "credit memos" }),
  applied: msg({ message: "Applied", context: "credit memos" }),
};

/** Whether anything of it can still be applied. */
export function statusOf({ balance }: CreditMemo): MemoStatus {
  return balance.amount > 0 ? "open" : "applied";
}

export const MEMO_TONES: Record<MemoStatus, Tone> = { open: "ok", applied: "plain" };
