import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { dollars } from "~/shared/catalogue/money";
import { failedPayment } from "~/shared/payments/left-words";
import { Note } from "~/shared/ui/notes/note";
import type { InvoiceSeen } from "./queries";

/** Where the payment stands, and what there is to do. */
export function LinkStatus({ seen }: { seen: InvoiceSeen }) {
  const { i18n } = useLingui();
  const { state, payment } = seen;
  const { why, left } = failedPayment(payment?.detail);
  if (state === "open") return null;
  if (state === "paid") {
    const charged = payment && payment.charged > 0 ? dollars(i18n, payment.charged) : undefined;
    const shown = payment?.shown;
    return (
      <Note tone="ok">
        <Trans>This invoice is paid.</Trans>{" "}
        {charged && shown ? (
          <Trans>
            {charged} was charged to {shown}.
          </Trans>
        ) : (
          <Trans>Nothing was charged here.</Trans>
        )}
      </Note>
    );
  }
  if (state === "busy") {
    return (
      <Note tone="wait">
        <Trans>Somebody else is paying this invoice right now. Nothing was charged here.</Trans>
      </Note>
    );
  }
  if (state === "action_required") {
    const page = payment?.actionUrl;
    return (
      <Note
        tone="wait"
        action={
          page ? (
            <Button size="md" component="a" href={page}>
              <Trans>Confirm at your bank</Trans>
            </Button>
          ) : undefined
        }
      >
        <Trans>Your bank asks you to confirm this payment.</Trans>
      </Note>
    );
  }
  if (state === "declined") {
    return (
      <Note tone="fail">
        {typeof why === "string" ? why : i18n._(why)}{" "}
        {left ? (
          <>
            {i18n._(left)} <Trans>You can try another card.</Trans>
          </>
        ) : (
          <Trans>Nothing was charged. You can try another card.</Trans>
        )}
      </Note>
    );
  }
  if (state === "refused") {
    return (
      <Note tone="fail">
        {payment && payment.refunded < payment.charged ? (
          <Trans>The payment could not be posted. What was charged is being paid back.</Trans>
        ) : (
          <Trans>The payment could not be posted, and what was charged was paid back.</Trans>
        )}
      </Note>
    );
  }
  return (
    <Note tone="wait">
      <Trans>The payment is under way. You can leave this page: it goes on.</Trans>
    </Note>
  );
}
