import { Trans } from "@lingui/react/macro";
import classes from "../checkout.module.css";
import type { PlacementRun } from "../use-placement";
import { OtherWay } from "./other-way";

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
      <OtherWay run={run} />
    </>
  );
}
