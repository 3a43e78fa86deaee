import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { problemOf } from "~/shared/api/errors";
import { CasesOf } from "~/shared/cases/cases-of";
import { dollars } from "~/shared/catalogue/money";
import { KeepPdf } from "~/shared/files/keep-pdf";
import { FlowMap } from "~/shared/flow/map/flow-map";
import { OlderPage } from "~/shared/flow/older-page";
import { EmptyState } from "~/shared/ui/lists/empty-state";
import { Term, Terms } from "~/shared/ui/lists/totals";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import { Status } from "~/shared/ui/notes/status";
import { Heading } from "~/shared/ui/screens/heading";
import { PageSkeleton } from "~/shared/ui/screens/page-skeleton";
import { Panel } from "~/shared/ui/screens/panel";
import { STAGES, useInvoicePayment } from "../flow";
import classes from "../payment.module.css";
import { invoicePaymentQuery } from "../queries";
import { type InvoicePaymentAnswer, isTakenBack, type PaidInvoice } from "../types";
import { STATE_WORDS } from "../words";
import { CancelPayment, OtherMethod, UnansweredCharge } from "./other-method";
import { Outcomes } from "./outcomes";
import { Said } from "./said";

/** The payment from its charge to its end, and what became of each invoice. */
export function CompleteScreen({ id }: { id: string | undefined }) {
  const found = useQuery({ ...invoicePaymentQuery(id ?? ""), enabled: id !== undefined });
  return (
    <div className={classes.page}>
      <Heading>
        <Trans>Invoice Payment</Trans>
      </Heading>
      {id === undefined ? (
        <EmptyState
          action={
            <Link to="/invoice/{-$id}" params={{ id: undefined }}>
              <Trans>Invoices</Trans>
            </Link>
          }
        >
          <Trans>No payment is named here.</Trans>
        </EmptyState>
      ) : found.data ? (
        <UnderWay key={id} first={found.data} />
      ) : found.isError ? (
        <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
      ) : (
        <PageSkeleton titled />
      )}
    </div>
  );
}

function UnderWay({ first }: { first: InvoicePaymentAnswer }) {
  const run = useInvoicePayment(first);
  const { i18n, t } = useLingui();
  const { state } = run;
  const { view, ended } = run.answer;
  const takenBack = inCents(view.lines.filter(isTakenBack), ({ charged }) => charged);
  const known = STATE_WORDS[view.lines.some(isTakenBack) ? "returned" : state];
  const discount = granted(view.lines);
  return (
    <div className={classes.columns} data-rev={run.answer.rev} data-drift={run.drift}>
      <div className={classes.section}>
        <OlderPage drift={run.drift} />
        <FlowMap flow={run} stages={STAGES} label={t`The way of the payment`} />
        <p className={classes.head} aria-live="polite">
          <Status tone={known?.tone ?? "wait"}>{known ? i18n._(known.words) : state}</Status>
          {run.is("busy") || run.is("waiting") ? (
            <span className={classes.soft}>
              <Trans>It goes on by itself, also when you close this page.</Trans>
            </span>
          ) : null}
        </p>
        <Said payment={run.answer} />
        <Outcomes lines={view.lines} />
        <CasesOf of={{ kind: "invoice_payment", id: view.uuid }} />
        {run.problem ? (
          <ProblemNote
            problem={run.problem}
            onRetry={run.problem.passing ? run.again : undefined}
            onClose={run.dismiss}
          />
        ) : null}
      </div>
      <Panel className={`${classes.side} ${classes.section}`} aria-label={t`Totals`}>
        <Terms>
          {discount > 0 ? (
            <Term name={<Trans context="early payment">Discount</Trans>}>
              {dollars(i18n, discount)}
            </Term>
          ) : null}
          {view.applied > 0 ? (
            <Term name={<Trans>Credit memos</Trans>}>{dollars(i18n, view.applied)}</Term>
          ) : null}
          <Term isTotal name={<Trans>Payment</Trans>}>
            {dollars(i18n, view.charged)}
          </Term>
          {view.refunded > 0 ? (
            <Term name={<Trans>Paid back</Trans>}>{dollars(i18n, -view.refunded)}</Term>
          ) : null}
          {takenBack > 0 ? (
            <Term name={<Trans>Taken back by the bank</Trans>}>{dollars(i18n, -takenBack)}</Term>
          ) : null}
        </Terms>
        {state === "declined" ? (
          <OtherMethod run={run} />
        ) : run.offered("PAY") ? (
          <UnansweredCharge key={view.payment?.attempt} run={run} />
        ) : state === "action_required" && run.offered("CANCEL") ? (
          <CancelPayment run={run} />
        ) : null}
        {view.payment?.shown && state !== "declined" ? (
          <p className={classes.soft}>
            <Trans>Paid by {view.payment.shown}</Trans>
          </p>
        ) : null}
        {ended && PAID.includes(state) ? (
          <p className={classes.keep}>
            <Button variant="default" size="md" onClick={() => window.print()}>
              <Trans>Print</Trans>
            </Button>
            <KeepPdf
              path={`/v1/invoice-payments/${encodeURIComponent(view.uuid)}/receipt.pdf`}
              name={`payment-${view.uuid}.pdf`}
            />
          </p>
        ) : null}
        {ended ? (
          <Note
            tone="plain"
            action={
              <Link to="/invoice/{-$id}" params={{ id: undefined }} className={classes.way}>
                <Trans>Back to the invoices</Trans>
              </Link>
            }
          >
            <Trans>Each invoice shows what was paid towards it.</Trans>
          </Note>
        ) : null}
      </Panel>
    </div>
  );
}

/** Ends of which there is a receipt to keep. */
const PAID: readonly string[] = ["confirmed", "refused"];

const NOT_PAID: readonly PaidInvoice["status"][] = ["refused", "refunded", "released", "returned"];

/** The discounts of the invoices that are paid or may still be, added in cents. */
function granted(lines: readonly PaidInvoice[]): number {
  const kept = lines.filter(({ status }) => !NOT_PAID.includes(status));
  return inCents(kept, ({ discount }) => discount);
}

function inCents(lines: readonly PaidInvoice[], amountOf: (line: PaidInvoice) => number): number {
  return lines.reduce((sum, line) => sum + Math.round(amountOf(line) * 100), 0) / 100;
}
