import type { Cart } from "~/shared/cart/queries";

const usd = (amount: number) => ({ amount, currency: "USD" as const });

/** An empty one, unless told otherwise. */
export function aCart(more: Partial<Cart> = {}): Cart {
  return {
    token: "cart-of-a-test-0001",
    rev: 1,
    isLatest: true,
    sapBpCode: "N1001",
    updatedAt: "2026-11-20T12:00:00Z",
    lines: [],
    vehicles: [],
    quantity: 0,
    canBeOrdered: false,
    subtotalPrice: { net: usd(0) },
    coupons: { entered: null, taken: null, refused: null, near: null },
    shippingPrice: { net: usd(0) },
    totalPrice: { net: usd(0), tax: usd(0), gross: usd(0) },
    taxes: [],
    shippingMethods: [],
    currentShippingMethod: null,
    shippingAddress: null,
    shippingAddresses: [],
    billingAddresses: [],
    billingAddressId: null,
    billingAddress: null,
    poNumber: null,
    payment: null,
    earlierCarts: [],
    ...more,
  };
}
