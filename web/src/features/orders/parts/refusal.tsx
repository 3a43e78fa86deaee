import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { problemOf } from "~/shared/api/errors";
import { askForBusiness } from "~/shared/session/ask-business";
import { EmptyState } from "~/shared/ui/empty-state";
import { ProblemNote } from "~/shared/ui/note";

/** Why there are no orders to see. A rep without a business is asked to choose one. */
export function Refusal({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const problem = problemOf(error);
  if (problem.code !== "business_needed") {
    return <ProblemNote problem={problem} onRetry={problem.passing ? onRetry : undefined} />;
  }
  return (
    <EmptyState
      action={
        <Button size="md" onClick={() => askForBusiness()}>
          <Trans>Select Business</Trans>
        </Button>
      }
    >
      <Trans>Each business has orders of its own. Select the business that you work for.</Trans>
    </EmptyState>
  );
}
