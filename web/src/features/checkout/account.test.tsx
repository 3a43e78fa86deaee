import { screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { begin, end } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { tellingAccount } from "~/testing/an-account";
import { aCart } from "~/testing/shop/a-cart";
import { showPage } from "~/testing/show";
import { CartScreen } from "./cart/cart-screen";
import { CheckoutForm } from "./form/form";

beforeEach(() => begin(aPerson(), "token"));
afterEach(() => {
  end();
  vi.restoreAllMocks();
});

const PAGES = [
  ["the cart", <CartScreen key="cart" />],
  ["the checkout", <CheckoutForm key="checkout" cart={aCart()} last={null} />],
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
