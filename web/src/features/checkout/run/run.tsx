import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useState } from "react";
import { wordsFor } from "~/shared/api/error-words";
import { FlowMap } from "~/shared/flow/map/flow-map";
import { OlderPage } from "~/shared/flow/older-page";
import { failedPayment } from "~/shared/payments/left-words";
import { paidBy } from "~/shared/payments/method-words";
import { PLACEMENT_STAGES } from "~/shared/placements/flow";
import { Remaining } from "~/shared/time/age";
import { land } from "~/shared/ui/hand-on";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import { Status } from "~/shared/ui/notes/status";
import { Heading } from "~/shared/ui/screens/heading";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "../checkout.module.css";
import { Lines } from "../parts/lines";
import { Sums } from "../parts/sums";
import type { PlacementAnswer } from "../types";
import { type PlacementRun, usePlacement } from "../use-placement";
import { stateWords } from "../words";
import { At } from "./at";
import { ActionNeeded, UnansweredPayment } from "./other-way";
import { PayAgain } from "./pay-again";
import { AgreeAgain, WaitsForApproval } from "./waits-for-approval";

/** States in which only the payment provider is waited for. */
const UNANSWERED: ReadonlySet<string> = new Set(["authorising", "needs_attention"]);

/** An order on its way, in step with every other browser that looks at it. */
export function Run({ first }: { first: PlacementAnswer }) {
  const { t, i18n } = useLingui();
  const run = usePlacement(first);
  const { answer } = run;
  const { view } = answer;
  const payment = paidBy(view.payment.shown, i18n);
  return (
    <div className={classes.run} data-rev={answer.rev} data-drift={run.drift}>
      <At total={view.total} flow={run} />
      <Heading focusKey={waitsForBuyer(run) ? run.state : "going-on"}>
        <Trans>Purchase Products</Trans>
      </Heading>
      <OlderPage drift={run.drift} />
      <FlowMap flow={run} stages={PLACEMENT_STAGES} label={t`The way of your order`} />
      <div className={classes.columns}>
        <div className={classes.main}>
          <Panel className={classes.part} aria-label={t`Your order is being placed`}>
            <PlacementStatus run={run} />
            {run.state === "waiting_for_approval" ? <WaitsForApproval run={run} /> : null}
            {run.state === "requoted" ? <AgreeAgain run={run} /> : null}
            {run.state === "payment_failed" ? <PayAgain run={run} /> : null}
            {run.state === "action_required" ? <ActionNeeded run={run} /> : null}
            {UNANSWERED.has(run.state) ? <UnansweredPayment run={run} /> : null}
            <Cancel run={run} />
            {run.problem ? (
              <ProblemNote
                problem={run.problem}
                onRetry={run.problem.passing ? run.again : undefined}
                onClose={run.dismiss}
              />
            ) : null}
          </Panel>
        </div>
        <div className={classes.side}>
          <Panel className={classes.summary} aria-label={t`Your order`}>
            <h2>
              <Trans>Your order</Trans>
            </h2>
            <Lines lines={view.lines} />
            <Sums of={view} method={view.shipping_method} />
            <p className={classes.soft}>
              <Trans>Payment: {payment}</Trans>
            </p>
            {view.po_number ? (
              <p className={classes.soft}>
                <Trans>PO number: {view.po_number}</Trans>
              </p>
            ) : null}
          </Panel>
        </div>
      </div>
    </div>
  );
}

function PlacementStatus({ run }: { run: PlacementRun }) {
  const { i18n } = useLingui();
  const { state } = run;
  const { view } = run.answer;
  const words = stateWords(state);
  const failed = state === "payment_failed";
  const error = view.error ? wordsFor(view.error) : undefined;
  const { why } = failedPayment(view.payment.detail);
  return (
    <>
      <p className={classes.standing} role="status">
        <Status tone={failed ? "fail" : "wait"}>{words ? i18n._(words) : state}</Status>
      </p>
      {view.error ? (
        <Note tone="fail">
          {typeof error === "string" || !error ? error : i18n._(error)}
          {failed && view.payment.detail && view.payment.detail !== view.error.detail ? (
            <small>{typeof why === "string" ? why : i18n._(why)}</small>
          ) : null}
        </Note>
      ) : null}
      {waitsForApproval(run) ? null : waitsForBuyer(run) ? (
        view.deadline ? (
          <p className={classes.soft}>
            <Trans>
              Everything you entered is kept, and your products are reserved, for{" "}
              <Remaining until={view.deadline} />
            </Trans>
          </p>
        ) : null
      ) : (
        <p className={classes.soft}>
          <Trans>
            This can take a moment. Your order goes on by itself, also when you close this page.
          </Trans>
        </p>
      )}
    </>
  );
}

export function Cancel({ run }: { run: PlacementRun }) {
  const [asked, setAsked] = useState<boolean>();
  if (!run.offered("CANCEL")) return null;
  if (!asked)
    return (
      <Button
        variant="default"
        size="md"
        className={classes.start}
        autoFocus={asked === false} // whoever goes on is back where they were
        disabled={!run.can("CANCEL")}
        onClick={() => setAsked(true)}
      >
        <Trans>Cancel this order</Trans>
      </Button>
    );
  return (
    <div className={classes.ask}>
      <p ref={land}>
        <Trans>Cancel the order? Nothing is charged, and your cart is as it was before.</Trans>
      </p>
      <Button
        size="md"
        loading={run.sent === "CANCEL"}
        disabled={!run.can("CANCEL")}
        onClick={() => run.ask({ type: "CANCEL" })}
      >
        <Trans>Yes, cancel it</Trans>
      </Button>
      <Button size="md" variant="default" onClick={() => setAsked(false)}>
        <Trans>No, go on</Trans>
      </Button>
    </div>
  );
}

function waitsForApproval({ state }: PlacementRun): boolean {
  return state === "waiting_for_approval" || state === "requoted";
}

/** What needs our team's attention waits for a person, too, and not for the buyer. */
function waitsForBuyer(run: PlacementRun): boolean {
  return run.turn === "person" && !run.is("attention");
}
