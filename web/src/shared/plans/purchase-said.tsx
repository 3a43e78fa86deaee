import type { MessageDescriptor } from "@lingui/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { failedPayment, leftOf } from "~/shared/payments/left-words";
import { BankAsks, EndUnclear } from "~/shared/payments/said";
import { Note } from "~/shared/ui/note";
import type { PurchaseAnswer } from "./types";
import { declineWords } from "./words";

/** What there is to say of the state as a whole. */
export function PurchaseSaid({ purchase: { view, state } }: { purchase: PurchaseAnswer }) {
  const left = leftOf(view);
  switch (state) {
    case "declined": {
      const { why } = failedPayment(view.error?.detail);
      return (
        <Note tone="fail">
          <Words of={declineWords(why)} />{" "}
          {left ? (
            <>
              <Words of={left} /> <Trans>Choose another way to pay, or try again.</Trans>
            </>
          ) : (
            <Trans>Nothing was charged. Choose another way to pay, or try again.</Trans>
          )}
        </Note>
      );
    }
    case "action_required":
      return <BankAsks url={view.payment?.action_url} />;
    case "rejected":
      return (
        <Note tone="fail">
          {left ? (
            <>
              <Trans>This purchase was not approved.</Trans> <Words of={left} />
            </>
          ) : (
            <Trans>This purchase was not approved. Nothing was charged.</Trans>
          )}
          {view.approval?.answered_by && view.approval.note ? (
            <>
              {" "}
              {view.approval.answered_by}: “{view.approval.note}”
            </>
          ) : null}
        </Note>
      );
    case "expired":
      return (
        <Note tone="wait">
          {left ? (
            <>
              {view.approval ? (
                <Trans>Nobody approved this purchase in time.</Trans>
              ) : (
                <Trans>This price has expired.</Trans>
              )}{" "}
              <Words of={left} />
            </>
          ) : view.approval ? (
            <Trans>Nobody approved this purchase in time. Nothing was charged.</Trans>
          ) : (
            <Trans>This price has expired. Nothing was charged.</Trans>
          )}
        </Note>
      );
    case "cancelled":
      return (
        <Note tone="wait">
          {view.refunded > 0 ? (
            <Trans>This purchase was cancelled. What had been paid is paid back.</Trans>
          ) : left ? (
            <>
              <Trans>This purchase was cancelled.</Trans> <Words of={left} />
            </>
          ) : (
            <Trans>This purchase was cancelled. Nothing was charged.</Trans>
          )}
        </Note>
      );
    case "needs_attention":
      return <EndUnclear />;
    case "part_failed":
      return (
        <Note tone="fail">
          <Trans>
            The devices marked below could not be set up. The others are done and are not charged
            again.
          </Trans>
        </Note>
      );
    default:
      return null;
  }
}

function Words({ of }: { of: MessageDescriptor | string }) {
  const { i18n } = useLingui();
  return typeof of === "string" ? of : i18n._(of);
}
