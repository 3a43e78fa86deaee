import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { problemOf } from "~/shared/api/errors";
import { CasesOf } from "~/shared/cases/cases-of";
import { dollars } from "~/shared/catalogue/money";
import { KeepPdf } from "~/shared/files/keep-pdf";
import { failedPayment } from "~/shared/payments/left-words";
import { PurchaseTotals } from "~/shared/plans/purchase/totals";
import { LINE_WORDS } from "~/shared/plans/words";
import { mayBuyPlans } from "~/shared/session/rights";
import { useSession } from "~/shared/session/session";
import { DataTable } from "~/shared/ui/lists/data-table";
import { isLost, Note, ProblemNote } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import { PageSkeleton } from "~/shared/ui/screens/page-skeleton";
import { Panel } from "~/shared/ui/screens/panel";
import { type Receipt, receiptPdf, receiptQuery } from "./receipt-queries";
import classes from "./receipts.module.css";

/** One receipt, made to be printed. */
export function ReceiptScreen({ uuid }: { uuid: string }) {
  const found = useQuery(receiptQuery(uuid));
  return (
    <div className={classes.page}>
      <Heading focusKey={uuid}>
        <Trans>Receipt</Trans>
      </Heading>
      {found.isError ? (
        <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
      ) : null}
      {isLost(found) ? null : found.data ? <Shown receipt={found.data} /> : <PageSkeleton />}
      <Link to="/subscriptions/receipts" className={classes.back}>
        <Trans>All receipts</Trans>
      </Link>
    </div>
  );
}

function Shown({ receipt }: { receipt: Receipt }) {
  const { i18n } = useLingui();
  const { address, detail } = receipt;
  const { why, left } = failedPayment(detail);
  const mayOpen = mayBuyPlans(useSession());
  const when = i18n.date(receipt.created_at, { dateStyle: "long", timeStyle: "short" });
  return (
    <>
      {receipt.succeeded ? null : (
        <Note tone="fail">
          {left ? null : <Trans>Nothing was charged.</Trans>}{" "}
          {typeof why === "string" ? why : i18n._(why)} {left ? i18n._(left) : null}
        </Note>
      )}
      {receipt.succeeded && !receipt.completed_at ? (
        <Note
          tone="wait"
          action={
            mayOpen ? (
              <Link
                to="/cart/checkout/subscriptions"
                search={{ uuid: receipt.uuid }}
                className={classes.back}
              >
                <Trans>See how far it is</Trans>
              </Link>
            ) : null
          }
        >
          <Trans>Some devices are still being set up; this receipt may change.</Trans>
        </Note>
      ) : null}
      {mayOpen ? <CasesOf of={{ kind: "purchase", id: receipt.uuid }} /> : null}
      <Panel className={classes.receipt}>
        <dl className={classes.facts}>
          <div>
            <dt>
              <Trans>Date</Trans>
            </dt>
            <dd>{when}</dd>
          </div>
          <div>
            <dt>
              <Trans>Transaction ID</Trans>
            </dt>
            <dd className={classes.code}>{receipt.transaction_id ?? "–"}</dd>
          </div>
          <div>
            <dt>
              <Trans>Paid by</Trans>
            </dt>
            <dd>{receipt.payment_shown || "–"}</dd>
          </div>
          <div>
            <dt>
              <Trans>Bought by</Trans>
            </dt>
            <dd>
              {receipt.bought_by}
              {receipt.acting_for ? (
                <small>
                  <Trans>for {receipt.acting_for}</Trans>
                </small>
              ) : null}
            </dd>
          </div>
          <div>
            <dt>
              <Trans>Address</Trans>
            </dt>
            <dd>
              {address.name}
              <small>
                {address.street}, {address.city} {address.country_area} {address.postal_code}{" "}
                {address.country}
              </small>
            </dd>
          </div>
        </dl>
        <Lines receipt={receipt} />
        <PurchaseTotals of={receipt} />
      </Panel>
      <div className={classes.actions}>
        <Button size="md" onClick={() => window.print()}>
          <Trans>Print</Trans>
        </Button>
        <KeepPdf path={receiptPdf(receipt.uuid)} name={`receipt-${receipt.uuid}.pdf`} />
      </div>
    </>
  );
}

function Lines({ receipt }: { receipt: Receipt }) {
  const { t, i18n } = useLingui();
  return (
    <DataTable
      label={t`Devices and plans`}
      rows={receipt.lines}
      keyOf={({ device_key }) => device_key}
      columns={[
        { head: t`Device`, as: "code", names: true, cell: ({ device_key }) => device_key },
        {
          head: t`Plan`,
          cell: ({ plan_name, status, ends_at }) => {
            const stands = status === "provisioned" ? undefined : LINE_WORDS[status];
            return (
              <>
                {plan_name}
                {stands ? (
                  <small>{i18n._(stands.words)}</small>
                ) : ends_at ? (
                  <small>
                    <Trans>until {i18n.date(ends_at, { dateStyle: "medium" })}</Trans>
                  </small>
                ) : null}
              </>
            );
          },
        },
        { head: t`Price`, as: "figure", cell: ({ total, tax }) => dollars(i18n, total - tax) },
        { head: t`Tax`, as: "figure", cell: ({ tax }) => dollars(i18n, tax) },
        { head: t`Total`, as: "figure", cell: ({ total }) => dollars(i18n, total) },
      ]}
    />
  );
}
