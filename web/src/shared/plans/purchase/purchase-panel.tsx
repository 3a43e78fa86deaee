import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { FlowMap } from "~/shared/flow/map/flow-map";
import { OlderPage } from "~/shared/flow/older-page";
import { Remaining } from "~/shared/time/age";
import { ProblemNote } from "~/shared/ui/notes/note";
import { Status } from "~/shared/ui/notes/status";
import { Panel } from "~/shared/ui/screens/panel";
import type { Payer, PurchaseLine } from "../types";
import { PURCHASE_WORDS } from "../words";
import { PURCHASE_STAGES } from "./flow";
import classes from "./purchase.module.css";
import { APPROVING, WaitsForApproval } from "./purchase-approval";
import { PurchaseLines } from "./purchase-lines";
import {
  CancelPurchase,
  PAYABLE,
  PurchasePayment,
  UNANSWERED,
  UnansweredPayment,
} from "./purchase-payment";
import { PurchaseSaid } from "./purchase-said";
import { PurchaseTotals } from "./totals";
import type { PurchaseRun } from "./use-purchase";

/** The first version of a purchase that gives nothing up by itself. */
const ASKS_BUYER = 3;

/** What may be tried again. */
const RETRIABLE = new Set<PurchaseLine["status"]>(["failed", "uncertain"]);

type PurchasePanelProps = {
  run: PurchaseRun;
  /** Works the price of these out anew. */
  onFresh: (lines: readonly PurchaseLine[]) => void;
  /** Something is on its way that the purchase does not know of yet. */
  freshening: boolean;
  /** Agrees to the price in another way than by asking the purchase itself. */
  onPay?: (payer: Payer, reason: string) => void;
  /** One below the other, also where there is room beside. */
  stacked?: boolean;
};

/** One purchase of plans from its price to its end: what it is for, what it costs, how it is paid, how far it is. */
export function PurchasePanel(props: PurchasePanelProps) {
  const { run, onFresh, freshening, onPay, stacked = false } = props;
  const { t, i18n } = useLingui();
  const { state } = run;
  const { view } = run.answer;
  const known = PURCHASE_WORDS[state];
  const failed = view.lines.filter(({ status }) => RETRIABLE.has(status));
  return (
    <div
      className={stacked ? classes.section : classes.columns}
      data-rev={run.answer.rev}
      data-drift={run.drift}
    >
      <div className={classes.section}>
        <OlderPage drift={run.drift} />
        <FlowMap flow={run} stages={PURCHASE_STAGES} label={t`The way of the purchase`} />
        <p className={classes.head} aria-live="polite">
          <Status tone={known?.tone ?? "wait"}>{known ? i18n._(known.words) : state}</Status>
          {run.is("busy") ? (
            <span className={classes.soft}>
              <Trans>It goes on by itself, also when you close this page.</Trans>
            </span>
          ) : null}
        </p>
        <PurchaseSaid purchase={run.answer} />
        <PurchaseLines
          lines={view.lines}
          actionOf={(line) => (
            <LineAction
              line={line}
              run={run}
              onTakeOut={() => onFresh(view.lines.filter((one) => one !== line))}
            />
          )}
        />
        {state === "part_failed" ? <Failed run={run} failed={failed} /> : null}
        {run.problem ? (
          <ProblemNote
            problem={run.problem}
            onRetry={run.problem.passing ? run.again : undefined}
            onClose={run.dismiss}
          />
        ) : null}
      </div>
      <Panel className={stacked ? classes.panel : `${classes.side} ${classes.panel}`}>
        <PurchaseTotals of={view} />
        {PAYABLE.has(state) ? (
          <PurchasePayment
            run={run}
            onFresh={onFresh}
            freshening={freshening}
            onPay={onPay}
            stacked={stacked}
          />
        ) : null}
        {APPROVING.has(state) ? <WaitsForApproval run={run} /> : null}
        {UNANSWERED.has(state) ? (
          <UnansweredPayment
            run={run}
            onFresh={onFresh}
            freshening={freshening}
            stacked={stacked}
          />
        ) : null}
        {state === "action_required" && run.offered("CANCEL") ? <CancelPurchase run={run} /> : null}
        {state === "expired" || state === "cancelled" || state === "rejected" ? (
          <Button size="lg" loading={freshening} onClick={() => onFresh(view.lines)}>
            <Trans>Work out the price again</Trans>
          </Button>
        ) : null}
        {view.payment?.shown && !PAYABLE.has(state) ? (
          <p className={classes.soft}>
            <Trans>Paid by {view.payment.shown}</Trans>
          </p>
        ) : null}
      </Panel>
    </div>
  );
}

type LineActionProps = { line: PurchaseLine; run: PurchaseRun; onTakeOut: () => void };

function LineAction({ line, run, onTakeOut }: LineActionProps) {
  const { t } = useLingui();
  const { state } = run;
  const { device_key } = line;
  if (state === "part_failed" && RETRIABLE.has(line.status))
    return (
      <Button
        variant="default"
        size="md"
        disabled={!run.can("RETRY")}
        aria-label={t`Try again: ${device_key}`}
        onClick={() => run.ask({ type: "RETRY", deviceKeys: [device_key] })}
      >
        <Trans>Try again</Trans>
      </Button>
    );
  if (PAYABLE.has(state) && line.status === "refused" && run.answer.view.lines.length > 1)
    return (
      <Button
        variant="default"
        size="md"
        disabled={run.sent !== undefined}
        aria-label={t`Take out: ${device_key}`}
        onClick={onTakeOut}
      >
        <Trans>Take out</Trans>
      </Button>
    );
  return null;
}

/** What failed is tried again alone, or given up and paid back. */
function Failed({ run, failed }: { run: PurchaseRun; failed: readonly PurchaseLine[] }) {
  const keys = failed.map(({ device_key }) => device_key);
  const { deadline, version } = run.answer.view;
  return (
    <div className={classes.actions}>
      {keys.length > 1 ? (
        <Button
          size="md"
          disabled={!run.can("RETRY")}
          onClick={() => run.ask({ type: "RETRY", deviceKeys: keys })}
        >
          <Trans>Try all of them again</Trans>
        </Button>
      ) : null}
      <Button
        size="md"
        variant="subtle"
        disabled={!run.can("GIVE_UP")}
        onClick={() => run.ask({ type: "GIVE_UP" })}
      >
        <Trans>Give them up and get their part back</Trans>
      </Button>
      <p className={classes.soft}>
        {version < ASKS_BUYER ? (
          deadline ? (
            <Trans>
              After another <Remaining until={deadline} /> this happens by itself.
            </Trans>
          ) : null
        ) : deadline ? (
          <Trans>
            We try again by ourselves in <Remaining until={deadline} />. Nothing is paid back before
            you give them up.
          </Trans>
        ) : (
          <Trans>
            We have tried for a day. Nothing more happens by itself: try again, or give them up.
          </Trans>
        )}
      </p>
    </div>
  );
}
