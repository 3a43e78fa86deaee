import { FirmwareRun } from "~/shared/firmware/run";
import type { FirmwareWish } from "~/shared/firmware/types";
import { mayOverrule } from "~/shared/session/rights";
import { useSession } from "~/shared/session/session";
import type { Action } from "../calls";
import type { Run } from "../session-hook";

/** The run of an activation is asked through the activation, which guests may do too; overruling is an owner's. */
function actionOf(wish: FirmwareWish, runId: string): Action {
  switch (wish.type) {
    case "RETRY":
      return { type: "FIRMWARE_RETRY" };
    case "CANCEL":
      return { type: "FIRMWARE_CANCEL" };
    case "DEFER":
      return { type: "FIRMWARE_DEFER", until: wish.until };
    case "OVERRULE":
      return { type: "FIRMWARE_OVERRULE", runId, reason: wish.reason };
  }
}

/** The firmware run of an activation, as far as it has reported. */
export function OwnFirmware({ run }: { run: Run }) {
  const may = mayOverrule(useSession());
  const { firmware } = run.answer.view.facts;
  if (!firmware) return null;
  return (
    <FirmwareRun
      firmware={firmware}
      can={() => run.sent === undefined}
      mayOverrule={may}
      onWish={(wish) => run.ask(actionOf(wish, firmware.run_id))}
    />
  );
}
