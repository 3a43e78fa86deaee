import { Trans } from "@lingui/react/macro";
import { ProblemNote } from "~/shared/ui/notes/note";
import { useIsToldInDialog } from "../dialogs/use-asking";
import type { Run } from "../session-hook";
import { isHeld } from "./acting";
import { useActionWords } from "./action-words";

type FailureProps = {
  run: Run;
  /** Whether it stands under the button that was pressed. */
  atButton?: boolean;
};

/**
 * Why what was asked did not happen, beside where it was asked. Another try of what moves or opens a car is no tap: its
 * button is held again. What was refused can only be put away, and so can what has no button here.
 */
export function Failure({ run, atButton = false }: FailureProps) {
  const { problem, failed } = run;
  const words = useActionWords(run.step);
  const isTold = useIsToldInDialog(run);
  if (!problem || !failed || isTold) return null;
  const { passing } = problem;
  return (
    <ProblemNote
      problem={problem}
      name={words(failed)}
      onRetry={passing && !isHeld(failed) ? run.again : undefined}
      onClose={run.dismiss}
      action={passing && isHeld(failed) && atButton ? <HoldAgain /> : undefined}
    />
  );
}

function HoldAgain() {
  return (
    <strong>
      <Trans>Hold the button again.</Trans>
    </strong>
  );
}
