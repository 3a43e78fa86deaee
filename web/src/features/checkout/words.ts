import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { placementV4 } from "~/shared/flow/charts/placement_v4.chart";

type State = keyof (typeof placementV4)["states"];

/** What goes on, as a buyer sees it. */
const STATE_WORDS: Record<State, MessageDescriptor> = {
  checking: msg`Checking your order`,
  waiting_for_approval: msg`Waits for an approval`,
  requoted: msg`Prices have changed: please agree first`,
  reserving: msg`Reserving your products`,
  authorising: msg`Asking for the payment`,
  action_required: msg`Your bank asks you to confirm the payment`,
  payment_failed: msg`The payment did not go through`,
  recording: msg`Storing your order`,
  handing_over: msg`Handing your order over`,
  capturing: msg`Taking the payment`,
  confirmed: msg`Your order is confirmed`,
  rejected: msg`The order was not approved`,
  expired: msg`The order was not paid in time`,
  cancelled: msg`The order was cancelled`,
  compensating: msg`Taking everything back`,
  compensated: msg`The order was not placed`,
  needs_attention: msg`We look after your order`,
};

export function stateWords(state: string): MessageDescriptor | undefined {
  return (STATE_WORDS as Partial<Record<string, MessageDescriptor>>)[state];
}
