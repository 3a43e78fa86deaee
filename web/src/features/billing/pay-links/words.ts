import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { PayLink } from "./queries";

export const LINK_WORDS: Record<PayLink["state"], MessageDescriptor> = {
  open: msg`Good until`,
  paid: msg({ message: "Paid", context: "invoice" }),
  revoked: msg`Revoked`,
  expired: msg({ message: "Expired", context: "pay link" }),
  void: msg`Void: its maker may not pay any more`,
};
