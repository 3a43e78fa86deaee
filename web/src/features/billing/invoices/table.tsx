import { Trans, useLingui } from "@lingui/react/macro";
import { Checkbox } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { dollars } from "~/shared/catalogue/money";
import { keepsMethods } from "~/shared/session/rights";
import { useSession } from "~/shared/session/session";
import { dayInWords } from "~/shared/time/day";
import { DataTable } from "~/shared/ui/lists/data-table";
import { Status } from "~/shared/ui/notes/status";
import type { InvoiceSummary } from "./queries";
import { deselect, isPayable, MOST_SELECTED, type Selection, select } from "./selection";
import { STATUS_WORDS } from "./words";

type InvoicesTableProps = {
  invoices: readonly InvoiceSummary[] | undefined;
  busy: boolean;
  /** What is selected, for whom may pay. */
  selection: Selection | undefined;
  empty: ReactNode;
};

export function InvoicesTable({ invoices, busy, selection, empty }: InvoicesTableProps) {
  const { i18n, t } = useLingui();
  return (
    <DataTable
      label={t`Invoices`}
      rows={invoices}
      keyOf={({ number }) => number}
      busy={busy}
      empty={empty}
      columns={[
        ...(selection
          ? [
              {
                head: t`Select`,
                cell: (invoice: InvoiceSummary) => (
                  <Select invoice={invoice} selection={selection} />
                ),
              },
            ]
          : []),
        {
          head: t`Invoice`,
          as: "whole",
          names: true,
          cell: ({ id, number }) => (
            <Link to="/invoice/{-$id}" params={{ id }}>
              {number}
            </Link>
          ),
        },
        { head: t`Date`, as: "whole", cell: ({ create_date }) => dayInWords(i18n, create_date) },
        { head: t`Due`, as: "whole", cell: ({ due_date }) => dayInWords(i18n, due_date) },
        { head: t`PO number`, cell: ({ poNumber }) => poNumber ?? "—" },
        { head: t`Status`, cell: (invoice) => <InvoiceState invoice={invoice} /> },
        {
          head: t`Total`,
          as: "figure",
          cell: ({ invoice_total }) => dollars(i18n, invoice_total.amount),
        },
        { head: t`Balance`, as: "figure", cell: (invoice) => <OpenAmount invoice={invoice} /> },
      ]}
    />
  );
}

type SelectProps = { invoice: InvoiceSummary; selection: Selection };

function Select({ invoice, selection }: SelectProps) {
  const { t } = useLingui();
  const { number } = invoice;
  const isSelected = selection.has(number);
  return (
    <Checkbox
      size="md"
      aria-label={t`Select ${number}`}
      disabled={!isPayable(invoice) || (!isSelected && selection.size >= MOST_SELECTED)}
      checked={isSelected}
      onChange={() => (isSelected ? deselect([number]) : select([invoice]))}
    />
  );
}

/** What is open, and what paying now saves. */
function OpenAmount({ invoice: { balance, discount } }: { invoice: InvoiceSummary }) {
  const { i18n, t } = useLingui();
  const saved = dollars(i18n, discount.amount);
  return (
    <>
      {dollars(i18n, balance.amount)}
      {discount.amount > 0 ? <small>{t`${saved} off now`}</small> : null}
    </>
  );
}

/** How it stands; from one that is being paid whoever may pay finds the way back to the payment. */
export function InvoiceState({ invoice }: { invoice: InvoiceSummary }) {
  const { i18n, t } = useLingui();
  const mayOpen = keepsMethods(useSession());
  const { number, isPaid, isPastDue, inPayment } = invoice;
  if (inPayment) {
    const { paymentId: id, by, since } = inPayment;
    const time = i18n.date(since, { dateStyle: "medium", timeStyle: "short" });
    return (
      <>
        <Status tone="wait">
          <Trans>In payment</Trans>
        </Status>
        <small>
          <Trans>
            by {by} since {time}
          </Trans>
        </small>
        {mayOpen ? (
          <Link
            to="/invoice-payment/complete"
            search={{ id }}
            aria-label={t`See how far it is: payment of ${number}`}
          >
            <Trans>See how far it is</Trans>
          </Link>
        ) : null}
      </>
    );
  }
  const status = isPaid ? "paid" : isPastDue ? "past_due" : "open";
  const tone = isPaid ? "ok" : isPastDue ? "fail" : "wait";
  return <Status tone={tone}>{i18n._(STATUS_WORDS[status])}</Status>;
}
