import type { ActivationView, Facts, FlowAnswer } from "~/features/activation/types";

const PLAN = [
  "power-on-device",
  "set-vehicle-details",
  "verify-connection",
  "check-firmware",
  "device-testing",
  "send-welcome",
  "complete-activation",
];

/** Where a version 2 run of that one step, before the last, stands. */
export function aLaterActivation(
  state: string,
  changes: { facts?: Partial<Facts>; allowed?: string[]; view?: Partial<ActivationView> } = {},
): FlowAnswer {
  const answer = anActivation(state);
  const [step = ""] = state.split("/");
  const plan = ["power-on-device", step, "complete-activation"];
  return {
    ...answer,
    version: 2,
    allowed: changes.allowed ?? answer.allowed,
    view: {
      ...answer.view,
      flow_version: 2,
      plan,
      position: 2,
      total: plan.length,
      ...changes.view,
      facts: { ...answer.view.facts, ...changes.facts },
    },
  };
}

const NO_PIN = { enabled: false, loading: false, success: false, failed: false, duration: null };

/** Where a version 3 run stands whose form waits for a device that installs its firmware. */
export function aKeptForm(kept: NonNullable<ActivationView["kept"]>): FlowAnswer {
  const allowed = ["BACK", "RESET", "ABANDON"];
  const view = { kept, held: true, flow_version: 3 };
  return { ...aLaterActivation(`${kept.step}/waiting`, { allowed, view }), version: 3 };
}

/** A run that stands at `state`, as the server would say it. */
export function anActivation(state: string, changes: Partial<FlowAnswer> = {}): FlowAnswer {
  const [step = "", phase = "ready"] = state.split("/");
  const allowed =
    phase === "ready" ? ["SUBMIT", "BACK", "RESET", "CHANGE_DEVICE", "ABANDON"] : ["ABANDON"];
  const view: ActivationView = {
    id: "a1",
    flow_version: 1,
    type: "new-device",
    is_advanced_flow: false,
    device: {
      device_key: "FT-X1-00000042",
      product_name: "ft-x1",
      family: "X1",
      device_state: "new",
      firmware_version: "1.4.2",
      service_mode: false,
      controller_model: null,
      controller: null,
      is_keylocker_present: false,
      plan: null,
      initial_device_state: "new",
      initial_service_mode: false,
      device_replaced: false,
      replaced_device_verified: false,
      number_of_commands_sent: 0,
    },
    plan_purchased: false,
    keylocker_replaced: false,
    plan: PLAN,
    state,
    step,
    phase,
    position: PLAN.indexOf(step) + 1,
    total: PLAN.length,
    error: null,
    facts: {
      vehicle: null,
      connection: null,
      connection_verified: false,
      firmware_checked: false,
      firmware: null,
      commands: [],
      welcomed: null,
      activated: false,
      replaced: null,
      keylocker: null,
      keylocker_mode: null,
      pins: { master: NO_PIN, secondary: NO_PIN },
      features: null,
      saving_feature: null,
      tables: {},
      requeries: 0,
      configuration: [],
      hardwired: null,
      rewards: null,
    },
    commands: [],
    toggles: [],
    skipped: {},
    beside: null,
    held: false,
    kept: null,
    deadline: null,
    idle_at: "2026-12-01T00:00:00Z",
    owner: "Ann Lee",
    owner_id: "u1",
    guest: false,
    consumer_email: null,
    outcome: null,
    irreversible: false,
    reason: "",
    created_at: "2026-11-21T10:00:00Z",
    updated_at: "2026-11-21T10:00:00Z",
    updated_by: "Ann Lee",
    handed: null,
  };
  const answer: FlowAnswer = {
    kind: "activation",
    version: 1,
    moved: null,
    id: "a1",
    rev: 3,
    seq: 2,
    state,
    allowed,
    view,
    updated_at: view.updated_at,
    ended: false,
  };
  return { ...answer, ...changes, view: { ...view, ...changes.view } };
}
