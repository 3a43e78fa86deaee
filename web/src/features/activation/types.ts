import type { Schemas } from "~/shared/api/client";

export type ActivationCard = Schemas["Card"];
export type DeviceFound = Schemas["DeviceResult"];

/** The plan is looked up by whatever step a run stands at, also one outside of it. */
export type ActivationView = Omit<Schemas["ActivationView"], "plan"> & { plan: readonly string[] };

/** An activation as every call on it and the live stream tell it. */
export type FlowAnswer = Omit<Schemas["ActivationAnswer"], "view"> & { view: ActivationView };

export type Facts = Schemas["Facts"];
export type DeviceView = Schemas["DeviceView"];
export type FirmwareView = Schemas["FirmwareView"];
export type TargetView = Schemas["TargetView"];
export type CommandRow = Schemas["CommandRow"];
export type VehicleDetails = Schemas["VehicleDetails"];
export type Fault = Schemas["Fault"];

export type StepName = Schemas["BackBody"]["step"];
export type ActivationType = Schemas["ActivationType"];

/** What the steps that ask for something send; all others only confirm. */
export type StepData = { email: string } | VehicleDetails | Record<string, never>;

/** Calls on firmware runs answer with those. */
export function asActivation(
  answer: Schemas["ActivationAnswer"] | Schemas["FirmwareAnswer"],
): FlowAnswer | undefined {
  return answer.kind === "activation" ? answer : undefined;
}
