import { Trans, useLingui } from "@lingui/react/macro";
import { failedPayment, leftOf } from "~/shared/payments/left-words";
import { BankAsks, EndUnclear } from "~/shared/payments/said";
import { Note } from "~/shared/ui/notes/note";
import { type InvoicePaymentAnswer, isTakenBack } from "../types";

/** What there is to say of the state as a whole. */
export function Said({ payment: { view, state } }: { payment: InvoicePaymentAnswer }) {
  const { i18n } = useLingui();
  const { why: said } = failedPayment(view.error?.detail);
  const why = typeof said === "string" ? said : i18n._(said);
  const left = leftOf(view);
  const isOwed = view.lines.some(({ status }) => status === "refused");
  switch (state) {
    case "declined":
      return (
        <Note tone="fail">
          {why}{" "}
          {left ? (
            <>
              {i18n._(left)} <Trans>Choose another way to pay.</Trans>
            </>
          ) : (
            <Trans>Nothing was charged. Choose another way to pay.</Trans>
          )}
        </Note>
      );
    case "action_required":
      return <BankAsks url={view.payment?.action_url} />;
    case "processing":
      return (
        <Note tone="wait">
          <Trans>
            Your bank takes some days. The invoices are held until then, and paid when it has paid.
          </Trans>
        </Note>
      );
    case "posting_late":
      return (
        <Note tone="wait">
          <Trans>
            The payment is made. The invoices that wait are paid as soon as our accounting answers.
          </Trans>
        </Note>
      );
    case "confirmed":
      return view.lines.some(isTakenBack) ? (
        <Note tone="fail">
          <Trans>The bank sent the payment back. The invoices are open again.</Trans>
        </Note>
      ) : isOwed ? (
        <Note tone="fail">
          <Trans>Some invoices were refused. Their part of the payment is being paid back.</Trans>
        </Note>
      ) : view.lines.some(({ status }) => status === "refunded") ? (
        <Note tone="fail">
          <Trans>Some invoices were refused. Their part of the payment was paid back.</Trans>
        </Note>
      ) : (
        <Note tone="ok">
          <Trans>Thank you. All of these invoices are paid as shown.</Trans>
        </Note>
      );
    case "refused":
      return (
        <Note tone="fail">
          {view.charged === 0 ? (
            <Trans>All of these invoices were refused. Nothing was charged.</Trans>
          ) : isOwed ? (
            <Trans>All of these invoices were refused. What was charged is being paid back.</Trans>
          ) : (
            <Trans>All of these invoices were refused. What was charged was paid back.</Trans>
          )}
        </Note>
      );
    case "returned":
      return (
        <Note tone="fail">
          {why} <Trans>The bank sent the payment back. The invoices are open again.</Trans>
        </Note>
      );
    case "expired":
    case "cancelled":
      return (
        <Note tone="wait">
          {why}{" "}
          {left ? (
            <>
              {i18n._(left)} <Trans>The invoices are free to be paid again.</Trans>
            </>
          ) : (
            <Trans>Nothing was charged. The invoices are free to be paid again.</Trans>
          )}
        </Note>
      );
    case "needs_attention":
      return <EndUnclear />;
    default:
      return null;
  }
}
