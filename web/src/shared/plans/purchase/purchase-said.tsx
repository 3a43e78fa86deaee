import type { MessageDescriptor } from "@lingui/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { dollars } from "~/shared/catalogue/money";
import { failedPayment, leftOf } from "~/shared/payments/left-words";
import { BankAsks, EndUnclear } from "~/shared/payments/said";
import { Note } from "~/shared/ui/notes/note";
import type { PurchaseAnswer, PurchaseView } from "../types";

/** What there is to say of the state as a whole. */
export function PurchaseSaid({ purchase: { view, state } }: { purchase: PurchaseAnswer }) {
  const left = leftOf(view);
  switch (state) {
    case "declined": {
      const { why } = failedPayment(view.error?.detail);
      return (
        <Note tone="fail">
          <Words of={why} />{" "}
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
          <Cancelled view={view} left={left} />
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

/** What becomes of the money of a purchase that was cancelled: some may be back, and some on its way, at the same time. */
function Cancelled({ view, left }: { view: PurchaseView; left: MessageDescriptor | undefined }) {
  const { i18n } = useLingui();
  const back = dollars(i18n, view.refunded);
  if (view.lines.some(({ status }) => status === "owed"))
    return view.refunded > 0 ? (
      <Trans>This purchase was cancelled. {back} is paid back, the rest is being paid back.</Trans>
    ) : (
      <Trans>This purchase was cancelled. What was charged is being paid back.</Trans>
    );
  if (view.refunded > 0)
    return <Trans>This purchase was cancelled. What had been paid is paid back.</Trans>;
  if (left)
    return (
      <>
        <Trans>This purchase was cancelled.</Trans> <Words of={left} />
      </>
    );
  if (view.lines.some(({ status }) => status === "unpaid"))
    return <Trans>This purchase was cancelled: your bank did not pay.</Trans>;
  return <Trans>This purchase was cancelled. Nothing was charged.</Trans>;
}

function Words({ of }: { of: MessageDescriptor | string }) {
  const { i18n } = useLingui();
  return typeof of === "string" ? of : i18n._(of);
}
