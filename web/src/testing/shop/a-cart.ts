import type { Cart, CartLine } from "~/shared/cart/queries";
import { aPrice } from "./a-product";

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

/** One article of a cart, which is in stock. */
export function aLine(more: Partial<CartLine> = {}): CartLine {
  const id = more.id ?? "v1";
  return {
    id,
    variant: {
      id,
      sku: `SKU-${id}`,
      productId: `p-${id}`,
      name: `Article ${id}`,
      image: { url: "/pictures/products/remote-start.svg", alt: "" },
      caseQuantity: 1,
      isAvailableForPurchase: true,
    },
    quantity: 1,
    now: 1,
    later: 0,
    restockOn: null,
    fault: null,
    pricing: aPrice(75),
    totalPrice: { net: usd(75) },
    vehicle: null,
    fit: null,
    ...more,
  };
}
