import { Trans, useLingui } from "@lingui/react/macro";
import type { QuotedInvoice } from "./types";

type FaultProps = { of: NonNullable<QuotedInvoice["problem"]> };

/** Why a document cannot be paid or applied like this. */
export function Fault({ of: { code, detail, by, since } }: FaultProps) {
  const { i18n } = useLingui();
  switch (code) {
    case "paid":
      return <Trans>Nothing is open on it any more.</Trans>;
    case "amount_above_balance":
      return <Trans>The amount is above what is open on it.</Trans>;
    case "in_payment": {
      const time = since ? i18n.date(since, { dateStyle: "medium", timeStyle: "short" }) : "";
      return (
        <Trans>
          It is being paid by {by} since {time}.
        </Trans>
      );
    }
    default:
      return detail;
  }
}
