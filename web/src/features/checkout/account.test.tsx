import { screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Cart } from "~/shared/cart/queries";
import { begin, end } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { tellingAccount } from "~/testing/an-account";
import { showPage } from "~/testing/show";
import { CartScreen } from "./cart/cart-screen";
import { CheckoutForm } from "./parts/form";

const usd = (amount: number) => ({ amount, currency: "USD" as const });

const CART: Cart = {
  token: "t1",
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
};

beforeEach(() => begin(aPerson(), "token"));
afterEach(() => {
  end();
  vi.restoreAllMocks();
});

const PAGES = [
  ["the cart", <CartScreen key="cart" />],
  ["the checkout", <CheckoutForm key="checkout" cart={CART} last={null} />],
] as const;

test.each(PAGES)("%s shows what the business owes", async (_, page) => {
  tellingAccount(false);
  await showPage(page);
  expect(await screen.findByText("$1,234.50")).toBeVisible();
});

test.each(PAGES)(
  "%s shows whoever sees the business without its money none of it",
  async (_, page) => {
    const asked = tellingAccount(true);
    await showPage(page);
    await vi.waitFor(() => expect(asked).toHaveBeenCalled());
    expect(screen.queryByRole("region", { name: "Account" })).toBeNull();
  },
);
