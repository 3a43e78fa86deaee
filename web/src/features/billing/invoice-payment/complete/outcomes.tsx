import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { dollars } from "~/shared/catalogue/money";
import { DataTable } from "~/shared/ui/lists/data-table";
import { Status } from "~/shared/ui/notes/status";
import type { PaidInvoice } from "../types";
import { INVOICE_WORDS } from "../words";

/** What became of each invoice. */
export function Outcomes({ lines }: { lines: readonly PaidInvoice[] }) {
  const { i18n, t } = useLingui();
  return (
    <DataTable
      label={t`Invoices of this payment`}
      rows={lines}
      keyOf={({ number }) => number}
      columns={[
        {
          head: t`Invoice`,
          names: true,
          cell: ({ number }) => (
            <Link to="/invoice/{-$id}" params={{ id: number }}>
              {number}
            </Link>
          ),
        },
        {
          head: t`Status`,
          cell: ({ status, detail }) => (
            <>
              <Status tone={INVOICE_WORDS[status].tone}>
                {i18n._(INVOICE_WORDS[status].words)}
              </Status>
              {detail ? <small lang="en">{detail}</small> : null}
            </>
          ),
        },
        {
          head: t({ message: "Discount", context: "early payment" }),
          as: "figure",
          cell: ({ discount }) => (discount > 0 ? dollars(i18n, discount) : "—"),
        },
        {
          head: t`Amount`,
          as: "figure",
          cell: (line) => <Amount line={line} />,
        },
      ]}
    />
  );
}

function Amount({ line: { amount, charged } }: { line: PaidInvoice }) {
  const { i18n } = useLingui();
  const credit = dollars(i18n, amount - charged);
  return (
    <>
      {dollars(i18n, amount)}
      {amount > charged ? (
        <small>
          <Trans>{credit} of it from credit memos</Trans>
        </small>
      ) : null}
    </>
  );
}
