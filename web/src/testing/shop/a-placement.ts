import type { Schemas } from "~/shared/api/client";

type Quote = Schemas["Quote"];
type PlacementAnswer = Schemas["PlacementAnswer"];

const ADDRESS = {
  id: "a1",
  name: "Harbour Car Audio",
  street: "1 Quay Street",
  city: "Halifax",
  country_area: "NS",
  postal_code: "B3J 1V7",
  country: "CA",
};

const LINE = {
  variant_id: "v1",
  product_id: "p1",
  sku: "FT-IT-0001-STD",
  name: "FTX T-Harness",
  image: "/x.svg",
  quantity: 3,
  now: 3,
  later: 0,
  unit_price: 10,
  total: 30,
  vehicle: null,
};

/** What an order of three pieces would be. */
export function aQuote(more: Partial<Quote> = {}): Quote {
  return {
    token: "cart-of-a-test-0001",
    partner_code: "N1001",
    partner_name: "Harbour Car Audio",
    channel: "dealer-1",
    placed_by: "olivia",
    placed_by_name: "Olivia Marchand",
    acting_for: null,
    po_number: null,
    po_required: false,
    po_ordered: null,
    lines: [{ ...LINE, restock_on: null, list_price: 12, fault: null }],
    currency: "USD",
    list_total: 36,
    discount: 6,
    coupon: null,
    coupon_refused: null,
    coupon_near: null,
    subtotal: 30,
    freight: 14.5,
    net: 44.5,
    taxes: [{ name: "HST", percent: "14", amount: 6.23 }],
    tax: 6.23,
    total: 50.73,
    shipping_method: {
      id: "ground",
      name: "Ground",
      erp_name: "B2B-Ground",
      price: 14.5,
      is_pick_up: false,
    },
    shipping_address: ADDRESS,
    billing_address: ADDRESS,
    payment: null,
    credit_available: 1000,
    allowance: null,
    needs_approval: false,
    refusals: [],
    quote_hash: "hash-1",
    figures_hash: "figures-1",
    ...more,
  };
}

type Change = Partial<Omit<PlacementAnswer, "view">> & { view?: Partial<PlacementAnswer["view"]> };

/** An order on its way. */
export function aPlacement({ view, ...more }: Change = {}): PlacementAnswer {
  return {
    id: "cart-of-a-test-0001",
    kind: "placement",
    version: 1,
    moved: null,
    rev: 3,
    seq: 1,
    state: "authorising",
    allowed: ["CANCEL"],
    updated_at: "2026-02-01T10:00:00Z",
    ended: false,
    ...more,
    view: {
      token: "cart-of-a-test-0001",
      cart_hash: "hash-1",
      partner_code: "N1001",
      partner_name: "Harbour Car Audio",
      po_number: "PO 17",
      lines: [LINE],
      subtotal: 30,
      discount: 6,
      coupon: null,
      freight: 14.5,
      tax: 6.23,
      taxes: [{ name: "HST", percent: "14", amount: 6.23 }],
      total: 50.73,
      currency: "USD",
      shipping_method: "Ground",
      shipping_address: ADDRESS,
      billing_address: ADDRESS,
      placed_by: "Olivia Marchand",
      acting_for: null,
      before: null,
      payment: {
        type: "CARD",
        method_id: "m1",
        shown: "Visa •••• 4242",
        status: null,
        attempt: 1,
        detail: null,
        action_url: null,
      },
      refused_methods: [],
      error: null,
      order: null,
      waits_for: "payment",
      deadline: null,
      reason: null,
      stuck_in: null,
      next_token: null,
      stands: false,
      approval: null,
      notes_at: {},
      ...view,
    },
  };
}
