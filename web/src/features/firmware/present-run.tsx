import { Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { FIRMWARE, FIRMWARE_EVENTS, FIRMWARE_STAGES } from "~/shared/firmware/flow";
import { FirmwareRun } from "~/shared/firmware/run";
import type { FirmwareAnswer, FirmwareWish } from "~/shared/firmware/types";
import { FlowMap } from "~/shared/flow/map/flow-map";
import { OlderPage } from "~/shared/flow/older-page";
import { type Flow, useFlow } from "~/shared/flow/use-flow";
import { mayOverrule } from "~/shared/session/rights";
import { useSession } from "~/shared/session/session";
import { Age } from "~/shared/time/age";
import { ProblemNote } from "~/shared/ui/note";
import { tellRun } from "./calls";
import classes from "./firmware.module.css";
import { firmwareQuery } from "./queries";

/** The run that is under way, in step with every other browser that looks at it. */
export function PresentRun({ first, onEnd }: { first: FirmwareAnswer; onEnd: () => void }) {
  const { t } = useLingui();
  const run = useFirmwareRun(first);
  const may = mayOverrule(useSession());
  const { view } = run.answer;
  const ended = run.is("ended");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end is told once
  useEffect(() => {
    if (ended) onEnd();
  }, [ended]);
  return (
    <div className={classes.present} data-rev={run.answer.rev} data-drift={run.drift}>
      <OlderPage drift={run.drift} />
      <FlowMap flow={run} stages={FIRMWARE_STAGES} label={t`The way of the update`} />
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
      <FirmwareRun
        firmware={view}
        can={(wish) => run.can(FIRMWARE_EVENTS[wish])}
        mayOverrule={may}
        onWish={run.ask}
      />
      {run.problem ? (
        <ProblemNote
          problem={run.problem}
          onRetry={run.problem.passing ? run.again : run.dismiss}
        />
      ) : null}
    </div>
  );
}

/** One firmware run on screen. */
function useFirmwareRun(first: FirmwareAnswer): Flow<FirmwareAnswer, FirmwareWish> {
  const cache = useQueryClient();
  const { id } = first;
  return useFlow(first, {
    topic: `firmware:${id}`,
    kind: FIRMWARE,
    tell: (wish, key) => tellRun(id, wish, key),
    read: () => cache.fetchQuery(firmwareQuery(id)),
  });
}
