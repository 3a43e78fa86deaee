import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useState } from "react";
import classes from "../checkout.module.css";
import type { PlacementRun } from "../use-placement";
import { PayAgain } from "./pay-again";

/** The bank wants to hear from the buyer; this page goes on by itself when it has. */
export function ActionNeeded({ run }: { run: PlacementRun }) {
  const url = run.answer.view.payment.action_url;
  const [other, setOther] = useState(false);
  return (
    <>
      {url ? (
        <a className={classes.on} href={url} target="_blank" rel="noopener noreferrer">
          <Trans>Confirm with your bank (opens a new tab)</Trans>
        </a>
      ) : null}
      {other ? (
        <PayAgain run={run} />
      ) : (
        <Button
          variant="default"
          size="md"
          className={classes.start}
          onClick={() => setOther(true)}
        >
          <Trans>Pay in another way</Trans>
        </Button>
      )}
    </>
  );
}
