import type { FirmwareAnswer, FirmwareView } from "~/shared/firmware/types";
import { allowedIn } from "./a-flow-on-screen";

const PERSONS = ["RETRY_NOW", "CANCEL", "DEFER", "OVERRULE"];

/** A run of the main device that stands at `state`, as the server would say it. */
export function aFirmwareRun(
  state: string,
  view: Partial<FirmwareView> = {},
  changes: Partial<FirmwareAnswer> = {},
): FirmwareAnswer {
  const at = "2026-11-21T10:00:00Z";
  const allowed = allowedIn("firmware_v2", state, PERSONS);
  return {
    kind: "firmware",
    version: 2,
    moved: null,
    id: "f1",
    rev: 3,
    seq: 1,
    state,
    allowed,
    updated_at: at,
    ended: false,
    view: {
      run_id: "f1",
      version: 2,
      device_key: "FT-X1-00000042",
      state,
      target: "main",
      attempt: 1,
      attempts: 4,
      since: at,
      next_at: null,
      error: null,
      error_from: null,
      targets: [
        {
          target: "main",
          label: "Main device",
          from_version: "1.4.2",
          to_version: "1.5.0",
          started: true,
          downloaded: false,
          completed: false,
          failed: false,
          download_attempts: 1,
          update_attempts: 0,
        },
      ],
      percent: null,
      weaknesses: [],
      overruled: null,
      started_by: "Ann Lee",
      started_at: at,
      reason: "",
      allowed,
      can_cancel: false,
      can_retry: false,
      can_defer: false,
      can_overrule: false,
      ...view,
    },
    ...changes,
  };
}
