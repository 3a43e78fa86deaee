import { Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { FIRMWARE, FIRMWARE_EVENTS, FIRMWARE_STAGES } from "~/shared/firmware/flow";
import { FirmwareRun } from "~/shared/firmware/run";
import type { FirmwareAnswer, FirmwareCommand } from "~/shared/firmware/types";
import { FlowMap } from "~/shared/flow/map/flow-map";
import { placeIn } from "~/shared/flow/map/places";
import { OlderPage } from "~/shared/flow/older-page";
import { type Flow, useFlow } from "~/shared/flow/use-flow";
import { mayOverrule } from "~/shared/session/rights";
import { useSession } from "~/shared/session/session";
import { Age } from "~/shared/time/age";
import { useAwake } from "~/shared/ui/awake";
import { type TaskAt, TaskPlace } from "~/shared/ui/screens/task-bar";
import { TaskFoot } from "~/shared/ui/screens/task-foot";
import { sendFirmwareCommand } from "./calls";
import classes from "./firmware.module.css";
import { firmwareQuery } from "./queries";

type PresentRunProps = {
  first: FirmwareAnswer;
  about: Pick<TaskAt, "what" | "more">;
  onEnd: () => void;
  /** What was done before; above the foot. */
  past: ReactNode;
};

/** The run that is under way, in step with every other browser that looks at it. */
export function PresentRun({ first, about, onEnd, past }: PresentRunProps) {
  const { t } = useLingui();
  useAwake();
  const run = useFirmwareRun(first);
  const may = mayOverrule(useSession());
  const { view } = run.answer;
  const ended = run.is("ended");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end is told once
  useEffect(() => {
    if (ended) onEnd();
  }, [ended]);
  const standing = { ...run, before: run.answer.moved?.from_state };
  return (
    <div className={classes.present} data-rev={run.answer.rev} data-drift={run.drift}>
      <TaskPlace
        {...about}
        place={placeIn(FIRMWARE_STAGES, standing)}
        total={FIRMWARE_STAGES.length}
      />
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
        offered={(command) => run.offered(FIRMWARE_EVENTS[command])}
        can={(command) => run.can(FIRMWARE_EVENTS[command])}
        mayOverrule={may}
        onCommand={run.ask}
        failed={
          run.problem &&
          run.failed && {
            ...run.failed,
            problem: run.problem,
            again: run.again,
            onClose: run.dismiss,
          }
        }
        atFoot={(actions) => (
          <>
            {past}
            {actions ? <TaskFoot>{actions}</TaskFoot> : null}
          </>
        )}
      />
    </div>
  );
}

/** One firmware run on screen. */
function useFirmwareRun(first: FirmwareAnswer): Flow<FirmwareAnswer, FirmwareCommand> {
  const cache = useQueryClient();
  const { id } = first;
  return useFlow(first, {
    topic: `firmware:${id}`,
    kind: FIRMWARE,
    send: (command, key) => sendFirmwareCommand(id, command, key),
    read: () => cache.fetchQuery(firmwareQuery(id)),
  });
}
