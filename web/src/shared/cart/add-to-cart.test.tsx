import { i18n } from "@lingui/core";
import { renderHook, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { clearAlerts, useAlerts } from "~/shared/alerts/alerts";
import { end } from "~/shared/session/session";
import { showPage } from "~/testing/show";
import { AddToCart } from "./add-to-cart";

afterEach(() => {
  sessionStorage.clear();
  clearAlerts();
});

test("a visitor is told on the login page why they are there", async () => {
  end();
  const { history } = await showPage(
    <AddToCart
      productId="p1"
      variantId="v1"
      name="Remote starter"
      caseQuantity={1}
      isForPurchase
      hasPrice
    />,
    "/search?s=remote",
  );
  history.subscribe(clearAlerts); // as another page does
  await userEvent.click(screen.getByRole("button", { name: "Add to cart: Remote starter" }));
  await waitFor(() => expect(history.location.pathname).toBe("/login"));
  const told = () => renderHook(useAlerts).result.current.flatMap(({ content }) => content);
  await waitFor(() =>
    expect(told().map((line) => (typeof line === "string" ? line : i18n._(line)))).toEqual([
      "Please log in; then it is added to your cart.",
    ]),
  );
});
