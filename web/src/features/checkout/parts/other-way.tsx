import { Trans } from "@lingui/react/macro";
import { OtherWay } from "~/shared/payments/other-way";
import { useNow } from "~/shared/time/age";
import classes from "../checkout.module.css";
import type { PlacementRun } from "../use-placement";
import { PayAgain } from "./pay-again";

/** How long a payment may take before another way to pay is offered. */
const PATIENCE_MS = 5000;

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

/** A payment of which nobody tells what becomes: nobody has to wait for it. */
export function Unanswered({ run }: { run: PlacementRun }) {
  const now = useNow();
  const since = run.answer.view.notes_at[run.state];
  if (!run.offered("CHOOSE_PAYMENT")) return null;
  if (!since || now - Date.parse(since) < PATIENCE_MS) return null;
  return (
    <>
      <p className={classes.soft}>
        <Trans>
          The payment provider does not answer. You can pay in another way, or cancel; you are not
          charged twice.
        </Trans>
      </p>
      <OtherWay className={classes.start}>
        <PayAgain run={run} />
      </OtherWay>
    </>
  );
}
