import type { MessageDescriptor } from "@lingui/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { failedPayment, leftOf } from "~/shared/payments/left-words";
import { Note } from "~/shared/ui/note";
import classes from "./purchase.module.css";
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
      return (
        <Note
          tone="wait"
          action={
            view.payment?.action_url ? (
              <a className={classes.way} href={view.payment.action_url} rel="noreferrer">
                <Trans>Confirm with your bank</Trans>
              </a>
            ) : undefined
          }
        >
          <Trans>Your bank wants to hear from you before it pays.</Trans>
        </Note>
      );
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
      return (
        <Note tone="wait">
          <Trans>
            We could not find out how this ended. Our team looks at it and writes to you; you are
            not charged twice.
          </Trans>
        </Note>
      );
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
