import type { PurchaseAnswer, PurchaseLine, PurchaseView } from "~/shared/plans/types";
import { allowedIn } from "../runs/a-flow-on-screen";

const PERSONS = ["REQUOTE", "CONFIRM", "PAY", "RETRY", "GIVE_UP", "CANCEL", "AGREE"];

/** A year of the second plan for a new device. */
export function aPurchaseLine(more: Partial<PurchaseLine> = {}): PurchaseLine {
  return {
    device_key: "FT-X1-00000042",
    product_name: "ft-x1",
    plan_id: "premium_prepaid-1_year",
    plan_slug: "premium_prepaid",
    plan_name: null,
    new_plan_name: "Premium Prepaid",
    rank: 2,
    change: "new",
    base_amount: 101.9,
    discount: 25.48,
    credit: 0,
    taxes: [{ name: "GST", percent: "5", amount: 3.82 }],
    tax: 3.82,
    total: 80.24,
    worth: 76.42,
    ends_at: "2027-11-21T10:00:00Z",
    ends_on: null,
    problem: null,
    detail: null,
    status: "quoted",
    paid: 0,
    refunded: 0,
    ...more,
  };
}

/** A purchase of one plan that stands at `state`, as the server would say it. */
export function aPurchase(
  state: string,
  view: Partial<PurchaseView> = {},
  changes: Partial<PurchaseAnswer> = {},
): PurchaseAnswer {
  const at = "2026-11-21T10:00:00Z";
  return {
    kind: "purchase",
    version: 3,
    moved: null,
    id: "p1",
    rev: 3,
    seq: 1,
    state,
    allowed: allowedIn("purchase_v3", state, PERSONS),
    updated_at: at,
    ended: false,
    view: {
      uuid: "p1",
      version: 3,
      partner_code: "N1001",
      lines: [aPurchaseLine()],
      base_amount: 101.9,
      currency_discount: 25.48,
      base_tax: 3.82,
      taxes: [{ name: "GST", percent: "5", amount: 3.82 }],
      final_charge: 80.24,
      currency: "USD",
      refunded: 0,
      quote_hash: "0".repeat(64),
      expires_at: new Date(Date.now() + 600_000).toISOString(),
      deadline: null,
      address: {
        id: null,
        name: "Harbour Car Audio",
        street: "1 Dock Street",
        city: "Vancouver",
        country_area: "BC",
        postal_code: "V6B 1A1",
        country: "CA",
      },
      payment: null,
      refused_methods: [],
      error: null,
      waits_for: "person",
      placed_by: "Ann Lee",
      acting_for: null,
      activation_id: null,
      receipt: false,
      notes_at: {},
      approval_above: null,
      approval: null,
      agreed_charge: null,
      over_limit: null,
      left: null,
      trying: null,
      ...view,
    },
    ...changes,
  };
}
