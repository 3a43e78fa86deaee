import type { Schemas } from "~/shared/api/client";

export type FirmwareAnswer = Schemas["FirmwareAnswer"];
export type FirmwareView = Schemas["FirmwareView"];
export type TargetView = Schemas["TargetView"];
export type Weakness = Schemas["Weakness"];

/** What a person may ask of a run. */
export type FirmwareCommand =
  | { type: "RETRY" }
  | { type: "CANCEL" }
  | { type: "DEFER"; until: string }
  | { type: "OVERRULE"; reason: string };
