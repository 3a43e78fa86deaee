import type { Schemas } from "~/shared/api/client";

export type ActivationSummary = Schemas["ActivationSummary"];
export type DeviceFound = Schemas["DeviceResult"];

/**
 * The plan is looked up by whatever step a run stands at, also one outside of it. A view that was written before
 * version 2 lacks what its steps learn.
 */
export type ActivationView = Omit<Schemas["ActivationView"], "plan" | "facts" | "toggles"> & {
  plan: readonly string[];
  facts: EarlyFacts & Partial<Omit<Facts, keyof EarlyFacts>>;
  toggles?: Schemas["ActivationView"]["toggles"];
};

type EarlyFacts = Pick<
  Schemas["Facts"],
  | "vehicle"
  | "connection"
  | "connection_verified"
  | "firmware_checked"
  | "firmware"
  | "commands"
  | "welcomed"
  | "activated"
>;

/** An activation as every call on it and the live stream tell it. */
export type FlowAnswer = Omit<Schemas["ActivationAnswer"], "view"> & { view: ActivationView };

export type Facts = Schemas["Facts"];
export type CommandRow = Schemas["CommandRow"];
export type VehicleDetails = Schemas["VehicleDetails"];

export type StepName = Schemas["BackBody"]["step"];
export type ActivationType = Schemas["ActivationType"];

/** What is known of one pin slot; the pin itself is known to nobody but who typed it. */
export type PinRow = Schemas["PinRow"];
export type PinSlot = keyof Schemas["KeylockerPins"];
export type Feature = Schemas["ActivationView"]["toggles"][number];
export type KeylockerMode = Schemas["KeylockerMode"];
export type HardwiredOutput = Schemas["HardwiredOutput"];
export type HardwiredInput = Schemas["HardwiredInput"];

/** What the steps that ask for something send; all others only confirm. */
export type StepData =
  | { email: string }
  | VehicleDetails
  | { new_device_key: string; iccid_last_digits?: string }
  | { changes: Record<string, number>; digest: string }
  | { mode: KeylockerMode }
  | { output: HardwiredOutput; input: HardwiredInput }
  | { involved_installer_id: string | null }
  | Record<string, never>;

/** Calls on firmware runs answer with those. */
export function asActivation(
  answer: Schemas["ActivationAnswer"] | Schemas["FirmwareAnswer"],
): FlowAnswer | undefined {
  return answer.kind === "activation" ? answer : undefined;
}
