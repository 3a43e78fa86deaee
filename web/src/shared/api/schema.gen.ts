/** The activation calls, by hand until the generated schema stands. */
type Answer<T> = { headers: { [n: string]: unknown }; content: { "application/json": T } };
type Nothing = { headers: { [n: string]: unknown }; content?: never };
type Fault = { headers: { [n: string]: unknown }; content: { "application/problem+json": { code: string; detail: string } } };
type Keyed = { "Idempotency-Key"?: string };
type S = components["schemas"];
type P<Path = never, Query = never> = { query?: Query; header?: Keyed; path?: Path; cookie?: never };
type At = { query?: never; header?: Keyed; path: { activation_id: string }; cookie?: never };
type Post<B, R, Q = P> = {
  parameters: { query?: never; header?: never; path?: never; cookie?: never };
  post: { parameters: Q; requestBody: { content: { "application/json": B } }; responses: { 200: Answer<R>; 202: Answer<S["Accepted"]>; 422: Fault } };
};
type Ask<B, R, Q = P> = {
  parameters: { query?: never; header?: never; path?: never; cookie?: never };
  post: { parameters: Q; requestBody: { content: { "application/json": B } }; responses: { 200: Answer<R>; 422: Fault } };
};
type Get<R, Q = P> = {
  parameters: { query?: never; header?: never; path?: never; cookie?: never };
  get: { parameters: Q; requestBody?: never; responses: { 200: Answer<R>; 404: Fault } };
};
export type paths = {
  "/v1/auth/sign-in": Ask<{ username: string; password: string; remember_me: boolean }, S["SignInAnswer"]>;
  "/v1/auth/sign-out": { parameters: { query?: never; header?: never; path?: never; cookie?: never }; post: { parameters: P; requestBody?: never; responses: { 204: Nothing } } };
  "/v1/auth/sign-out-everywhere": { parameters: { query?: never; header?: never; path?: never; cookie?: never }; post: { parameters: P; requestBody?: never; responses: { 204: Nothing } } };
  "/api/iot/device-check": Ask<{ device_key: string; iccid_last_digits?: string; isCanadianUser?: boolean }, { results: S["DeviceFound"][] }>;
  "/api/year-make-model": Ask<{ year: number; makeId?: number }, S["Choice"][]>;
  "/v1/activations": Get<S["ActivationPage"], P<never, { scope?: "mine" | "dealer"; state?: "open" | "ended"; limit?: number; cursor?: string }>> &
    Post<{ device_key: string; iccid_last_digits?: string; type: string; advanced?: boolean; consumer_email?: string }, S["FlowAnswer"]>;
  "/v1/activations/{activation_id}": Get<S["FlowAnswer"], At>;
  "/v1/activations/{activation_id}/colleagues": Get<{ results: { id: string; name: string }[] }, At>;
  "/v1/activations/{activation_id}/submit": Post<{ step: string; seq: number; data: S["StepData"] }, S["FlowAnswer"], At>;
  "/v1/activations/{activation_id}/commands": Post<{ seq: number; command: string; bit?: number }, S["FlowAnswer"], At>;
  "/v1/activations/{activation_id}/skip": Post<{ step: string; seq: number; reason: string }, S["FlowAnswer"], At>;
  "/v1/activations/{activation_id}/back": Post<{ step: string; seq: number }, S["FlowAnswer"], At>;
  "/v1/activations/{activation_id}/reset": Post<{ seq: number }, S["FlowAnswer"], At>;
  "/v1/activations/{activation_id}/change-device": Post<{ seq: number; device_key: string; iccid_last_digits?: string }, S["FlowAnswer"], At>;
  "/v1/activations/{activation_id}/hand-over": Post<{ seq: number; user_id: string }, S["FlowAnswer"], At>;
  "/v1/activations/{activation_id}/abandon": Post<{ seq: number; reason: string }, S["FlowAnswer"], At>;
  "/v1/activations/{activation_id}/firmware/retry": Post<Record<string, never>, S["FlowAnswer"], At>;
  "/v1/activations/{activation_id}/firmware/cancel": Post<Record<string, never>, S["FlowAnswer"], At>;
  "/v1/activations/{activation_id}/firmware/defer": Post<{ until: string }, S["FlowAnswer"], At>;
};
export type components = {
  schemas: {
    Accepted: { update_id: string; id: string };
    Choice: { id: number; name: string };
    SignInAnswer: { access_token: string; refresh_token?: string | null; expires_at: string; user: { id: string; first_name: string; last_name: string; email: string; dealer_id?: string | null } };
    VehicleDetails: { year: number; make_id: number; make: string; model_id: number; model: string };
    StepData: { step: string; email?: string } | ({ step: string } & S["VehicleDetails"]);
    CommandRow: { id: string; command: string; label: string; state: "queued" | "sent" | "confirmed" | "timed_out" | "refused" | "unknown" | "confirmed_late"; requested_at: string; settled_at?: string | null; reading: Record<string, unknown> };
    TargetView: { target: string; label: string; from_version: string; to_version: string; started: boolean; downloaded: boolean; completed: boolean; failed: boolean; download_attempts: number; update_attempts: number };
    FirmwareView: { run_id: string; state: string; target?: string | null; attempt: number; attempts: number; since: string; next_at?: string | null; error?: string | null; targets: S["TargetView"][]; can_cancel: boolean; can_retry: boolean };
    Device: { device_key: string; product_name: string; family: string; device_state: string; firmware_version?: string | null; controller_model: string };
    DeviceFound: S["Device"] & { activation_types: string[]; activation?: { id: string; step: string; position: number; total: number; saved_at: string; saved_by: string } | null };
    Facts: { vehicle?: S["VehicleDetails"] | null; connection?: S["CommandRow"] | null; connection_verified: boolean; firmware_checked: boolean; firmware?: S["FirmwareView"] | null; commands: S["CommandRow"][]; welcomed?: string | null };
    DeviceView: { device_key: string; product_name?: string | null; family?: string | null; device_state?: string | null; service_mode: boolean; firmware_version?: string | null; controller_model?: string | null; controller?: string | null; is_keylocker_present: boolean; plan?: string | null };
    ActivationView: { id: string; flow_version: number; type: string; advanced: boolean; device: S["DeviceView"]; plan: string[]; step: string; phase: string; position: number; total: number; state: string; error?: { code: string; detail: string } | null; facts: S["Facts"]; commands: string[]; deadline?: string | null; idle_at: string; skipped: Record<string, string>; owner: string; owner_id?: string | null; guest: boolean; consumer_email?: string | null; created_at: string; updated_at: string; updated_by: string; reason: string; outcome?: string | null };
    FlowAnswer: { kind: "activation"; id: string; rev: number; seq: number; state: string; allowed: string[]; view: S["ActivationView"]; resume_token?: string | null };
    ActivationCard: { id: string; device_key: string; product_name: string; type: string; step: string; label: string; position: number; total: number; state: string; saved_at: string; saved_by: string; owner: { id?: string | null; name: string } };
    ActivationPage: { results: S["ActivationCard"][]; count: number; end_cursor?: string | null };
  };
};
