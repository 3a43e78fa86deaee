import type { Schemas } from "~/shared/api/client";

type Order = Schemas["OrderOut"];

const net = (amount: number) => ({ net: { amount, currency: "USD" as const } });

const ADDRESS: Order["shippingAddress"] = {
  companyName: "Prairie Remote Start",
  streetAddress1: "1 Main Street",
  city: "Regina",
  countryArea: "SK",
  postalCode: "S4P 3Y2",
  country: "CA",
};

/** An order of three pieces of one product, of which one is to follow. */
export function anOrder(more: Partial<Order> = {}): Order {
  return {
    id: "1",
    number: "T-100001",
    status: "placed",
    poNumber: "PO 7",
    erpNumber: null,
    invoiceNumber: null,
    placedBy: "Robin Test",
    quantity: 3,
    total: 30,
    payment: "COD",
    shippingMethodName: "Ground",
    created: "2026-11-20T12:00:00Z",
    sapBpCode: "N1002",
    token: "token-of-the-cart",
    actingAs: null,
    metadata: [],
    lines: [
      {
        variantId: "v1",
        productId: "p1",
        sku: "SKU-1",
        name: "Thing",
        image: { url: "/pictures/products/remote-start.svg", alt: "" },
        quantity: 3,
        now: 2,
        later: 1,
        shipped: 0,
        following: 3,
        expectedOn: null,
        unitPrice: net(10),
        totalPrice: net(30),
        vehicle: null,
      },
    ],
    subtotalPrice: net(30),
    coupon: null,
    shippingPrice: net(0),
    totalPrice: { ...net(30), tax: net(0).net, gross: net(30).net },
    taxes: [],
    shippingAddress: ADDRESS,
    billingAddress: ADDRESS,
    paymentMethod: { type: "COD", shown: "COD" },
    shipments: [],
    withdrawals: [],
    givenBack: [],
    history: [{ kind: "placed", at: "2026-11-20T12:00:00Z", note: null }],
    waitsFor: "hand_over",
    updatedAt: "2026-11-20T12:00:00Z",
    ...more,
  };
}
