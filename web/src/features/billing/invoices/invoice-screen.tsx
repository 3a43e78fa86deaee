import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { problemOf } from "~/shared/api/errors";
import { CasesOf } from "~/shared/cases/cases-of";
import { dollars } from "~/shared/catalogue/money";
import { KeepPdf } from "~/shared/files/keep-pdf";
import { AskMyRep } from "~/shared/partners/reps";
import { keepsMethods, readsOnly } from "~/shared/session/rights";
import { useSession } from "~/shared/session/session";
import { dayInWords } from "~/shared/time/day";
import { DataTable } from "~/shared/ui/lists/data-table";
import { EmptyState } from "~/shared/ui/lists/empty-state";
import { ListRefusal } from "~/shared/ui/lists/list-refusal";
import { isLost } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import classes from "../documents/documents.module.css";
import { SettledTable } from "../documents/settled";
import { PayLinks } from "../pay-links/links";
import { Figures } from "./figures";
import { type Invoice, invoiceQuery } from "./queries";
import { deselect, isPayable, refresh, select, useSelection } from "./selection";
import { InvoiceState } from "./table";

/** One invoice: what it is for, what is open, what was paid against it. */
export function InvoiceScreen({ id }: { id: string }) {
  const found = useQuery(invoiceQuery(id));
  const failure = found.isError ? (
    <ListRefusal error={found.error} onRetry={() => void found.refetch()}>
      <Trans>Each business has invoices of its own. Select the business that you work for.</Trans>
    </ListRefusal>
  ) : null;
  if (found.data && !isLost(found)) return <Shown invoice={found.data} failure={failure} />;
  return (
    <div className={classes.page}>
      {found.isError && problemOf(found.error).status === 404 ? (
        <Missing />
      ) : (
        <>
          <Heading>
            <Trans>Invoice</Trans>
          </Heading>
          {failure ?? <Skeleton height={420} radius="lg" />}
        </>
      )}
    </div>
  );
}

function Shown({ invoice, failure }: { invoice: Invoice; failure: ReactNode }) {
  const { i18n, t } = useLingui();
  const { number } = invoice;
  const issued = dayInWords(i18n, invoice.create_date);
  const due = dayInWords(i18n, invoice.due_date);
  const session = useSession();
  const reads = readsOnly(session);
  const pays = keepsMethods(session);
  return (
    <div className={classes.page}>
      <div className={classes.title}>
        <div>
          <Heading>
            <Trans>Invoice {number}</Trans>
          </Heading>
          <p>
            <Trans>
              Issued on {issued}, due on {due}
            </Trans>
          </p>
        </div>
        <InvoiceState invoice={invoice} />
      </div>
      {failure}
      <div className={classes.actions}>
        {pays ? <SelectThis invoice={invoice} /> : null}
        <Button variant="default" size="md" onClick={() => window.print()}>
          <Trans>Print</Trans>
        </Button>
        <KeepPdf
          path={`/v1/invoices/${encodeURIComponent(number)}/invoice.pdf`}
          name={`invoice-${number}.pdf`}
        />
        {reads ? null : (
          <Link to="/invoice/{-$id}" params={{ id: undefined }}>
            <Trans>All invoices</Trans>
          </Link>
        )}
      </div>
      <CasesOf of={{ kind: "invoice", id: number }} />
      <div className={classes.columns}>
        <div className={classes.main}>
          <section className={classes.section} aria-labelledby="lines">
            <h2 id="lines">
              <Trans>Products</Trans>
            </h2>
            <Lines invoice={invoice} />
          </section>
          <section className={classes.section} aria-labelledby="settled">
            <h2 id="settled">
              <Trans>Payments and credit memos</Trans>
            </h2>
            <SettledTable
              label={t`Payments and credit memos`}
              settled={invoice.payments}
              empty={
                <EmptyState
                  action={
                    reads ? (
                      <Link to="/operations">
                        <Trans>Operations</Trans>
                      </Link>
                    ) : (
                      <Link to="/statement">
                        <Trans>Statement of account</Trans>
                      </Link>
                    )
                  }
                >
                  <Trans>Nothing was paid against this invoice yet.</Trans>
                </EmptyState>
              }
            />
          </section>
          {pays ? <PayLinks invoice={number} isPaid={invoice.isPaid} /> : null}
        </div>
        <Figures invoice={invoice} />
      </div>
      <AskMyRep about={t`Invoice ${number}`} />
    </div>
  );
}

function SelectThis({ invoice }: { invoice: Invoice }) {
  const isSelected = useSelection().has(invoice.number);
  useEffect(() => refresh([invoice]), [invoice]);
  if (!isPayable(invoice)) return null;
  return (
    <Button
      size="md"
      aria-pressed={isSelected}
      variant={isSelected ? "filled" : "default"}
      onClick={() => (isSelected ? deselect([invoice.number]) : select([invoice]))}
    >
      {isSelected ? <Trans>Selected to pay</Trans> : <Trans>Select to pay</Trans>}
    </Button>
  );
}

function Lines({ invoice: { lines } }: { invoice: Invoice }) {
  const { i18n, t } = useLingui();
  return (
    <DataTable
      label={t`Products`}
      rows={lines}
      keyOf={({ sku }, place) => `${sku} ${place}`}
      columns={[
        {
          head: t`Product`,
          names: true,
          cell: ({ name, sku }) => (
            <>
              {name}
              {name === sku ? null : <small>{sku}</small>}
            </>
          ),
        },
        { head: t`Quantity`, as: "figure", cell: ({ quantity }) => i18n.number(quantity) },
        { head: t`Price`, as: "figure", cell: ({ unitPrice }) => dollars(i18n, unitPrice.amount) },
        {
          head: t`Total`,
          as: "figure",
          cell: ({ totalPrice }) => dollars(i18n, totalPrice.amount),
        },
      ]}
    />
  );
}

function Missing() {
  return (
    <>
      <Heading>
        <Trans>Invoice not found</Trans>
      </Heading>
      <EmptyState
        action={
          <Link to="/invoice/{-$id}" params={{ id: undefined }}>
            <Trans>All invoices</Trans>
          </Link>
        }
      >
        <Trans>
          There is no such invoice, or it belongs to another business. Reps see the invoices of the
          business that is selected.
        </Trans>
      </EmptyState>
    </>
  );
}
