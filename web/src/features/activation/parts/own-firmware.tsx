import { chartStateOf, isOffered } from "~/shared/firmware/flow";
import { type FailedCommand, FirmwareRun } from "~/shared/firmware/run";
import type { FirmwareCommand } from "~/shared/firmware/types";
import { OlderPage } from "~/shared/flow/older-page";
import { mayOverrule } from "~/shared/session/rights";
import { useSession } from "~/shared/session/session";
import type { Action } from "../calls";
import type { Run } from "../session-hook";

const COMMANDS: { [type in Action["type"]]?: FirmwareCommand["type"] } = {
  FIRMWARE_RETRY: "RETRY",
  FIRMWARE_CANCEL: "CANCEL",
  FIRMWARE_DEFER: "DEFER",
  FIRMWARE_OVERRULE: "OVERRULE",
};

/** The run of an activation is asked through the activation, which guests may do too; overruling is an owner's. */
function actionOf(command: FirmwareCommand, runId: string): Action {
  switch (command.type) {
    case "RETRY":
      return { type: "FIRMWARE_RETRY" };
    case "CANCEL":
      return { type: "FIRMWARE_CANCEL" };
    case "DEFER":
      return { type: "FIRMWARE_DEFER", until: command.until };
    case "OVERRULE":
      return { type: "FIRMWARE_OVERRULE", runId, reason: command.reason };
  }
}

/** What the activation was asked and did not do, as its firmware run calls it. */
function failedOf({ failed, problem, again, dismiss }: Run): FailedCommand | undefined {
  const type = failed && COMMANDS[failed.type];
  if (!type || !problem) return undefined;
  const reason = failed.type === "FIRMWARE_OVERRULE" ? failed.reason : undefined;
  return { type, reason, problem, again, onClose: dismiss };
}

/** The firmware run of an activation, as far as it has reported. */
export function OwnFirmware({ run }: { run: Run }) {
  const may = mayOverrule(useSession());
  const { firmware } = run.answer.view.facts;
  if (!firmware) return null;
  const offered = (type: FirmwareCommand["type"]) => isOffered(firmware, type);
  // what it holds besides its type decides nothing of that
  const isHeld = (type: FirmwareCommand["type"]) =>
    run.held({ type: `FIRMWARE_${type}` } as Action);
  return (
    <>
      {chartStateOf(firmware) || run.drift > 0 ? null : <OlderPage drift={1} />}
      <FirmwareRun
        firmware={firmware}
        offered={offered}
        can={(type) => offered(type) && !isHeld(type)}
        mayOverrule={may}
        onCommand={(command) => run.ask(actionOf(command, firmware.run_id))}
        failed={failedOf(run)}
      />
    </>
  );
}
