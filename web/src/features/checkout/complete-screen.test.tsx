import { screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { begin, end } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { aPlacement } from "~/testing/shop/a-placement";
import { showPage } from "~/testing/show";
import { CompleteScreen } from "./complete-screen";

const ORDER = { id: "o1", number: "T-100017", erp_number: null };

/** Answers calls of an order with this, and nothing else. */
function tells(placement: unknown) {
  vi.spyOn(globalThis, "fetch").mockImplementation((asked) =>
    (asked as Request).url.includes("/v1/placements/")
      ? Promise.resolve(Response.json(placement))
      : new Promise<Response>(() => undefined),
  );
}

beforeEach(() => begin(aPerson({ purchasing_rights: true }), "t"));
afterEach(() => {
  end();
  localStorage.clear();
  vi.restoreAllMocks();
});

test("an order that is confirmed says its number, and what comes", async () => {
  tells(aPlacement({ state: "confirmed", allowed: [], ended: true, view: { order: ORDER } }));
  await showPage(<CompleteScreen token="cart-of-a-test-0001" />);
  expect(await screen.findByRole("status")).toHaveTextContent(
    "Thank you. Your order T-100017 is confirmed. A mail with everything is on its way.",
  );
  expect(screen.getByText("Visa •••• 4242")).toBeVisible();
  expect(screen.getByRole("link", { name: "Follow this order" })).toBeVisible();
});

test("until it is known nothing is said of it, and one that is on its way leads to its own page", async () => {
  vi.spyOn(globalThis, "fetch").mockReturnValue(new Promise(() => undefined));
  const waiting = await showPage(<CompleteScreen token="cart-of-a-test-0001" />);
  expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Order Complete");
  expect(screen.queryByText(/is confirmed|no order here/)).toBeNull();
  waiting.unmount();
  tells(aPlacement());
  const { history } = await showPage(<CompleteScreen token="cart-of-a-test-0001" />);
  await vi.waitFor(() =>
    expect(history.location.href).toBe("/cart/checkout/products?token=cart-of-a-test-0001"),
  );
});

test("without its address the order that was placed last is found again; without one there is none", async () => {
  tells(aPlacement({ state: "confirmed", allowed: [], ended: true, view: { order: ORDER } }));
  const none = await showPage(<CompleteScreen token={undefined} />);
  expect(await screen.findByText("There is no order here yet.")).toBeVisible();
  none.unmount();
  const placed = await showPage(<CompleteScreen token="cart-of-a-test-0001" />);
  await screen.findByText(/Your order T-100017 is confirmed/);
  placed.unmount();
  await showPage(<CompleteScreen token={undefined} />);
  expect(await screen.findByText(/Your order T-100017 is confirmed/)).toBeVisible();
});
