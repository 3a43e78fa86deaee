import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { ProblemNote } from "~/shared/ui/note";
import type { Run } from "../session-hook";
import { isHeld } from "./acting";
import { useActionWords } from "./action-words";

/**
 * Why what was asked did not happen, beside where it was asked. Another try of what moves or opens a car is no tap: its
 * button is held again. What was refused can only be put away.
 */
export function Failure({ run }: { run: Run }) {
  const { problem, failed } = run;
  const words = useActionWords(run.step);
  if (!problem || !failed) return null;
  const { passing } = problem;
  return (
    <ProblemNote
      problem={problem}
      name={words(failed)}
      onRetry={passing ? run.again : undefined}
      action={
        !passing ? <Close onClose={run.dismiss} /> : isHeld(failed) ? <HoldAgain /> : undefined
      }
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

function Close({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  return (
    <Button variant="default" size="md" onClick={onClose}>
      {t`Close`}
    </Button>
  );
}
