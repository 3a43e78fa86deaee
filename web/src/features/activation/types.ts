import type { Schemas } from "~/shared/api/client";

export type FlowAnswer = Schemas["FlowAnswer"];
export type ActivationView = Schemas["ActivationView"];
export type ActivationCard = Schemas["ActivationCard"];
export type DeviceFound = Schemas["DeviceFound"];
export type CommandRow = Schemas["CommandRow"];
export type FirmwareView = Schemas["FirmwareView"];
export type TargetView = Schemas["TargetView"];
export type VehicleDetails = Schemas["VehicleDetails"];
export type StepData = Schemas["StepData"];
