import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import type { Problem } from "~/shared/api/errors";
import { ProblemNote } from "~/shared/ui/notes/note";

type NotDoneProps = {
  /** As the button is called that was pressed. */
  name: string;
  problem: Problem;
  /** Asks once more for what was asked; in a form its submit does, of what stands there by then. */
  again: (() => void) | "submit" | undefined;
  onClose?: () => void;
};

/** Why the firmware's run did not do, or did not begin, what was asked: beside the button, with the focus. */
export function NotDone({ name, problem, again, onClose }: NotDoneProps) {
  const { passing } = problem;
  return (
    <ProblemNote
      problem={problem}
      name={name}
      onRetry={passing && again !== "submit" ? again : undefined}
      onClose={onClose}
      action={
        passing && again === "submit" ? (
          <Button type="submit" variant="default">
            <Trans>Try again</Trans>
          </Button>
        ) : undefined
      }
    />
  );
}
