import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { problemOf } from "~/shared/api/errors";
import { askForBusiness } from "~/shared/session/ask-business";
import { ProblemNote } from "~/shared/ui/note";
import { Panel } from "~/shared/ui/panel";
import classes from "../invoices.module.css";

/** Why there are no documents to see. A rep without a business is asked to choose one. */
export function Refusal({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const problem = problemOf(error);
  if (problem.code !== "business_needed") {
    return <ProblemNote problem={problem} onRetry={problem.passing ? onRetry : undefined} />;
  }
  return (
    <Panel className={classes.empty}>
      <p role="status">
        <Trans>Each business has invoices of its own. Select the business that you work for.</Trans>
      </p>
      <Button size="md" onClick={() => askForBusiness()}>
        <Trans>Select Business</Trans>
      </Button>
    </Panel>
  );
}
