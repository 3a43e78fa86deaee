import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { problemOf } from "~/shared/api/errors";
import { CasesOf } from "~/shared/cases/cases-of";
import { casesOfQuery } from "~/shared/cases/queries";
import { dollars } from "~/shared/catalogue/money";
import { KeepPdf } from "~/shared/files/keep-pdf";
import { asItStands } from "~/shared/flow/use-flow";
import { PURCHASE } from "~/shared/plans/purchase/flow";
import { PurchaseLines } from "~/shared/plans/purchase/purchase-lines";
import { PurchaseTotals } from "~/shared/plans/purchase/totals";
import { purchaseQuery } from "~/shared/plans/queries";
import type { PurchaseAnswer, PurchaseLine } from "~/shared/plans/types";
import { isLost, Note, ProblemNote } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import { PageSkeleton } from "~/shared/ui/screens/page-skeleton";
import { Panel } from "~/shared/ui/screens/panel";
import { At } from "./parts/at";
import classes from "./plans.module.css";
import { receiptPdf } from "./receipt-queries";

/** Order Complete: what was bought, and its receipt. */
export function CompleteScreen({ id }: { id: string | undefined }) {
  const found = useQuery({ ...purchaseQuery(id ?? ""), enabled: id !== undefined });
  return (
    <div className={classes.page}>
      <Heading>
        <Trans>Order Complete</Trans>
      </Heading>
      {found.isError ? (
        <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
      ) : null}
      {id === undefined ? (
        <Note tone="wait">
          <Trans>No purchase is named here. Your receipts list all of them.</Trans>
        </Note>
      ) : isLost(found) ? null : found.data ? (
        <Complete purchase={found.data} />
      ) : (
        <PageSkeleton />
      )}
      <p className={classes.actions}>
        <Link to="/subscriptions" className={classes.plain}>
          <Trans>Customer Subscriptions</Trans>
        </Link>
        <Link to="/subscriptions/receipts" className={classes.plain}>
          <Trans>Receipts</Trans>
        </Link>
      </p>
    </div>
  );
}

function Complete({ purchase }: { purchase: PurchaseAnswer }) {
  const { id, state, ended, view } = purchase;
  if (state !== "confirmed")
    return (
      <Note
        tone="wait"
        action={
          <Link to="/cart/checkout/subscriptions" search={{ uuid: id }} className={classes.way}>
            {ended ? <Trans>See what became of it</Trans> : <Trans>See how far it is</Trans>}
          </Link>
        }
      >
        {ended ? (
          <Trans>This purchase was not completed.</Trans>
        ) : (
          <Trans>This purchase is not complete yet.</Trans>
        )}
      </Note>
    );
  return (
    <>
      <At flow={asItStands(purchase, PURCHASE)} />
      <Outcome purchase={purchase} />
      <CasesOf of={{ kind: "purchase", id }} />
      <PurchaseLines lines={view.lines.filter(({ status }) => status !== "refused")} />
      <Panel className={classes.totals}>
        <PurchaseTotals of={view} />
        {view.payment ? (
          <p className={classes.soft}>
            <Trans>Paid by {view.payment.shown}</Trans>
          </p>
        ) : null}
        <p className={classes.actions}>
          <Link to="/subscriptions/receipts" search={{ uuid: id }} className={classes.way}>
            <Trans>Show the receipt</Trans>
          </Link>
          <KeepPdf path={receiptPdf(id)} name={`receipt-${id}.pdf`} />
        </p>
      </Panel>
    </>
  );
}

/** Of plans for which the bank took the money back their case says how they stand: they may be suspended. */
function Outcome({ purchase }: { purchase: PurchaseAnswer }) {
  const cases = useQuery(casesOfQuery({ kind: "purchase", id: purchase.id }));
  const isOwed = cases.data?.results.some((one) => one.is_open && one.cause === "debit_returned");
  return isOwed ? null : <Done purchase={purchase} />;
}

/** What is true of all lines together: active, or active but for those that have no plan, each with what becomes of its money. */
export function Done({ purchase: { view } }: { purchase: PurchaseAnswer }) {
  const { i18n } = useLingui();
  const bought = view.lines.filter(({ status }) => status !== "refused");
  const of = (wanted: PurchaseLine["status"]) =>
    bought.filter(({ status }) => status === wanted).length;
  if (of("provisioned") === bought.length)
    return (
      <Note tone="ok">
        <Trans>The plans are active. The receipt is on its way to you by mail.</Trans>
      </Note>
    );
  const amount = dollars(i18n, view.refunded);
  return (
    <Note tone="wait">
      {of("refunded") > 0 ? (
        <>
          <Plural
            value={of("refunded")}
            one="# device could not be set up: its part is paid back."
            other="# devices could not be set up: their part is paid back."
          />{" "}
          <Trans>{amount} are on their way back.</Trans>{" "}
        </>
      ) : null}
      {of("owed") > 0 ? (
        <>
          <Plural
            value={of("owed")}
            one="# device could not be set up: its part is being paid back."
            other="# devices could not be set up: their part is being paid back."
          />{" "}
        </>
      ) : null}
      {of("unpaid") > 0 ? (
        <>
          <Plural
            value={of("unpaid")}
            one="# device was not set up, as your bank did not pay."
            other="# devices were not set up, as your bank did not pay."
          />{" "}
        </>
      ) : null}
      <Trans>The other plans are active, and the receipt is on its way to you by mail.</Trans>
    </Note>
  );
}
