import type { ActivationSummary } from "~/features/activation/types";

/** Of a new device whose connection is to be verified, unfinished. */
export const AN_ACTIVATION_SUMMARY: ActivationSummary = {
  id: "a1",
  device_key: "FT-X1-00000042",
  product_name: "ft-x1",
  vehicle: "2019 Honda Civic",
  type: "new-device",
  state: "verify-connection",
  step: "verify-connection",
  position: 3,
  total: 9,
  owner: "Ann Lee",
  owner_id: "u1",
  updated_at: "2026-11-20T12:00:00Z",
  updated_by: "Bo Roy",
  outcome: null,
};
