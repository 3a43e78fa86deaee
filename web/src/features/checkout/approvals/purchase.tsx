import { Trans, useLingui } from "@lingui/react/macro";
import { dollars } from "~/shared/catalogue/money";
import { OlderPage } from "~/shared/flow/older-page";
import { PurchaseLines } from "~/shared/plans/purchase-lines";
import { PurchaseTotals } from "~/shared/plans/totals";
import type { PurchaseAnswer } from "~/shared/plans/types";
import { type PurchaseRun, usePurchase } from "~/shared/plans/use-purchase";
import { PURCHASE_WORDS } from "~/shared/plans/words";
import { Heading } from "~/shared/ui/heading";
import { Note, ProblemNote } from "~/shared/ui/note";
import { Panel } from "~/shared/ui/panel";
import { Status } from "~/shared/ui/status";
import checkout from "../checkout.module.css";
import { Answer } from "./answer";
import classes from "./approvals.module.css";

/** One purchase of plans as its buyer agreed to it, and the owner's answer. */
export function ApprovePurchase({ first }: { first: PurchaseAnswer }) {
  const { t } = useLingui();
  const run = usePurchase(first);
  const { view } = run.answer;
  return (
    <>
      <Heading focusKey={run.state}>
        <Trans>Purchase of {view.placed_by}</Trans>
      </Heading>
      <OlderPage drift={run.drift} />
      <div className={checkout.columns} data-rev={run.answer.rev}>
        <Panel className={checkout.part} aria-label={t`Approval`}>
          <Standing run={run} />
          <Facts run={run} />
          {run.state === "waiting_for_approval" ? (
            <Answer run={run} onSay={run.ask}>
              <Trans>
                With your approval the prices are checked once more, the plans are paid and set up
                at once.
              </Trans>
            </Answer>
          ) : null}
          <ProblemNote
            problem={run.problem}
            onRetry={run.problem?.passing ? run.again : run.dismiss}
          />
        </Panel>
        <Panel className={checkout.summary} aria-label={t`The plans`}>
          <h2>
            <Trans>The plans</Trans>
          </h2>
          <PurchaseLines lines={view.lines} />
          <PurchaseTotals of={view} />
        </Panel>
      </div>
    </>
  );
}

function Standing({ run }: { run: PurchaseRun }) {
  const { i18n } = useLingui();
  const { view } = run.answer;
  const waits = run.state === "waiting_for_approval" || run.state === "requoted";
  const known = PURCHASE_WORDS[run.state];
  return (
    <>
      <p role="status">
        <Status tone={known?.tone ?? "wait"}>{known ? i18n._(known.words) : run.state}</Status>
      </p>
      {run.state === "requoted" ? (
        <Note tone="wait">
          <Trans>
            Prices have changed since. {view.placed_by} is asked to agree first; then you are asked
            again.
          </Trans>
        </Note>
      ) : null}
      {!waits && view.approval?.answered_by ? (
        <p>
          <Trans>Answered by {view.approval.answered_by}</Trans>
          {view.approval.note ? <>: “{view.approval.note}”</> : null}
        </p>
      ) : null}
    </>
  );
}

function Facts({ run }: { run: PurchaseRun }) {
  const { i18n } = useLingui();
  const { approval, agreed_charge, final_charge } = run.answer.view;
  if (!approval) return null;
  return (
    <dl className={classes.facts}>
      <dt>
        <Trans>Reason</Trans>
      </dt>
      <dd>{approval.reason || "—"}</dd>
      <dt>
        <Trans>Needs your approval above</Trans>
      </dt>
      <dd>{dollars(i18n, approval.above)}</dd>
      {run.state === "waiting_for_approval" ? (
        <>
          <dt>
            <Trans>Waits until</Trans>
          </dt>
          <dd>{i18n.date(approval.until, { dateStyle: "medium" })}</dd>
        </>
      ) : null}
      {agreed_charge === null || agreed_charge === final_charge ? null : (
        <>
          <dt>
            <Trans>Total before</Trans>
          </dt>
          <dd>{dollars(i18n, agreed_charge)}</dd>
        </>
      )}
    </dl>
  );
}
