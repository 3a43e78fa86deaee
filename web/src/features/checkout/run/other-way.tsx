import { Trans } from "@lingui/react/macro";
import { OtherWay } from "~/shared/payments/other-way";
import { Unanswered } from "~/shared/payments/unanswered";
import classes from "../checkout.module.css";
import type { PlacementRun } from "../use-placement";
import { PayAgain } from "./pay-again";

/** The bank wants to hear from the buyer; this page goes on by itself when it has. */
export function ActionNeeded({ run }: { run: PlacementRun }) {
  const url = run.answer.view.payment.action_url;
  return (
    <>
      {url ? (
        <a className={classes.on} href={url} target="_blank" rel="noopener noreferrer">
          <Trans>Confirm with your bank (opens a new tab)</Trans>
        </a>
      ) : null}
      <OtherWay className={classes.start}>
        <PayAgain run={run} />
      </OtherWay>
    </>
  );
}

/** A payment that is waited for too long gives way to another one. */
export function UnansweredPayment({ run }: { run: PlacementRun }) {
  if (!run.offered("CHOOSE_PAYMENT")) return null;
  return (
    <Unanswered run={run} className={classes.start}>
      <PayAgain run={run} />
    </Unanswered>
  );
}
