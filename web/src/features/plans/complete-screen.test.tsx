import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { aPurchase, aPurchaseLine } from "~/testing/a-purchase";
import { show, showPage } from "~/testing/show";
import { AlsoInCart } from "./checkout-screen";
import { Done } from "./complete-screen";

const BACK = aPurchaseLine({ device_key: "FT-X2-00000043", status: "refunded" });

test("the plans are active only where all of them are", () => {
  show(<Done purchase={aPurchase("confirmed")} />);
  expect(screen.getByRole("status")).toHaveTextContent("The plans are active.");
});

test("what was paid back is told beside what is active", () => {
  const lines = [aPurchaseLine({ status: "provisioned" }), BACK];
  show(<Done purchase={aPurchase("confirmed", { lines, refunded: 80.24 })} />);
  const said = screen.getByRole("status");
  expect(said).toHaveTextContent("1 device could not be set up: its part is paid back.");
  expect(said).toHaveTextContent("$80.24 are on their way back.");
  expect(said).not.toHaveTextContent("The plans are active.");
});

test("what else is in the cart is told at the checkout", async () => {
  const line = { ...aPurchaseLine(), newPricingPlan: {}, device_key: "FT-X2-00000099" };
  vi.spyOn(globalThis, "fetch").mockResolvedValue(
    Response.json({ results: [line, { ...line, device_key: "FT-X1-00000042" }], count: 2 }),
  );
  await showPage(<AlsoInCart purchase={aPurchase("quoted")} />);
  expect(await screen.findByText(/Your cart holds 1 more plan/)).toBeVisible();
  vi.restoreAllMocks();
});
