import { Trans } from "@lingui/react/macro";
import { useEffect } from "react";
import { FirmwareRun } from "~/shared/firmware/run";
import type { FirmwareAnswer } from "~/shared/firmware/types";
import { mayOverrule } from "~/shared/session/rights";
import { useSession } from "~/shared/session/session";
import { Age } from "~/shared/time/age";
import { ProblemNote } from "~/shared/ui/note";
import classes from "./firmware.module.css";
import { useFirmwareRun } from "./use-run";

/** The run that is under way, in step with every other browser that looks at it. */
export function PresentRun({ first, onEnd }: { first: FirmwareAnswer; onEnd: () => void }) {
  const run = useFirmwareRun(first);
  const may = mayOverrule(useSession());
  const { view, ended } = run.answer;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end is told once
  useEffect(() => {
    if (ended) onEnd();
  }, [ended]);
  return (
    <div className={classes.present} data-rev={run.answer.rev} data-drift={run.drift}>
      <p>
        <Trans>
          The update goes on by itself, also when you close this page. Keep the device on power.
        </Trans>
      </p>
      {view.started_at ? (
        <p className={classes.soft}>
          {view.started_by ? (
            <Trans>
              Started <Age since={view.started_at} /> by {view.started_by}
            </Trans>
          ) : (
            <Trans>
              Started <Age since={view.started_at} />
            </Trans>
          )}
        </p>
      ) : null}
      {run.problem ? (
        <ProblemNote
          problem={run.problem}
          onRetry={run.problem.passing ? run.again : run.dismiss}
        />
      ) : null}
      <FirmwareRun firmware={view} free={run.free} mayOverrule={may} onWish={run.ask} />
    </div>
  );
}
