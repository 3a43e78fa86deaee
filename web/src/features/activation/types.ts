import type { Schemas } from "~/shared/api/client";

export type ActivationCard = Schemas["Card"];
export type DeviceFound = Schemas["DeviceResult"];

/** A run's answer carries the view of its kind; this is an activation's (`domain/activation.py:ActivationView`). */
export type FlowAnswer = Omit<Schemas["FlowAnswer"], "view"> & { view: ActivationView };

export type StepName = Schemas["BackBody"]["step"];
export type ActivationType = Schemas["StartActivation"]["type"];

export type Fault = { code: string; detail: string };

export type VehicleDetails = {
  year: number;
  make_id: number;
  make: string;
  model_id: number;
  model: string;
};

export type CommandRow = {
  id: string;
  command: string;
  label: string;
  state: "queued" | "sent" | "confirmed" | "timed_out" | "refused" | "unknown" | "confirmed_late";
  requested_at: string;
  settled_at: string | null;
  reading: Record<string, unknown>;
};

export type TargetView = {
  target: "main" | "kl1";
  label: string;
  from_version: string;
  to_version: string;
  started: boolean;
  downloaded: boolean;
  completed: boolean;
  failed: boolean;
  download_attempts: number;
  update_attempts: number;
};

export type FirmwareView = {
  run_id: string;
  state: string;
  target: "main" | "kl1" | null;
  attempt: number;
  attempts: number;
  since: string;
  next_at: string | null;
  error: string | null;
  targets: TargetView[];
  can_cancel: boolean;
  can_retry: boolean;
};

export type DeviceView = {
  device_key: string;
  product_name: string | null;
  family: string | null;
  device_state: string | null;
  firmware_version: string | null;
};

export type ActivationView = {
  id: string;
  flow_version: number;
  type: ActivationType;
  advanced: boolean;
  device: DeviceView;
  plan: string[];
  state: string;
  step: string;
  phase: string;
  position: number;
  total: number;
  error: Fault | null;
  facts: {
    vehicle: VehicleDetails | null;
    connection: CommandRow | null;
    connection_verified: boolean;
    firmware_checked: boolean;
    firmware: FirmwareView | null;
    commands: CommandRow[];
    welcomed: string | null;
    activated: boolean;
  };
  commands: string[];
  skipped: Record<string, string>;
  deadline: string | null;
  idle_at: string;
  owner: string;
  owner_id: string | null;
  guest: boolean;
  consumer_email: string | null;
  outcome: string | null;
  reason: string;
  created_at: string;
  updated_at: string;
  updated_by: string;
};

/** What the steps that ask for something send; all others only confirm. */
export type StepData = { email: string } | VehicleDetails | Record<string, never>;

/** The one place that trusts the kind: the API's type of `view` is open, as firmware runs share the answer. */
export function asActivation(answer: Schemas["FlowAnswer"]): FlowAnswer | undefined {
  return answer.kind === "activation" ? (answer as unknown as FlowAnswer) : undefined;
}
