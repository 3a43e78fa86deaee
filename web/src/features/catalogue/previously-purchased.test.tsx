import { screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { begin } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { aProduct } from "~/testing/shop/a-product";
import { showPage } from "~/testing/show";
import { PreviouslyPurchased } from "./previously-purchased";

const asked: string[] = [];
const ANSWERS: Record<string, unknown> = {
  "/api/last-three-order-product-ids": ["p1", "p2"],
  "/api/products-by-ids": [aProduct(), aProduct({ id: "p2", name: "Antenna" })],
  "/v1/last-bought": [
    {
      productId: "p1",
      quantity: 4,
      unitPrice: { net: { amount: 71.5, currency: "USD" } },
      boughtAt: "2026-10-02T12:00:00Z",
    },
  ],
};

afterEach(() => {
  asked.length = 0;
  vi.restoreAllMocks();
});

async function shelf(purchasing_rights: boolean) {
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const { pathname } = new URL((input as Request).url);
    asked.push(pathname);
    return Response.json(ANSWERS[pathname] ?? {});
  });
  begin(aPerson({ purchasing_rights }), "t");
  await showPage(<PreviouslyPurchased />);
  await screen.findByText("Antenna");
}

test("what was bought before says how many, for how much and when", async () => {
  await shelf(true);
  expect(
    await screen.findByText("Last bought on Oct 2, 2026: 4 pieces, $71.50 each"),
  ).toBeVisible();
  expect(screen.getAllByText(/Last bought/)).toHaveLength(1);
});

test("how it was bought is asked for beside the products, and not after them", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation((input) => {
    asked.push(new URL((input as Request).url).pathname);
    return new Promise(() => {});
  });
  begin(aPerson({ purchasing_rights: true }), "t");
  await showPage(<PreviouslyPurchased />);
  await vi.waitFor(() =>
    expect(asked.toSorted()).toEqual(["/api/last-three-order-product-ids", "/v1/last-bought"]),
  );
});

test("whoever buys for no business is told nothing of its prices, and asks for none", async () => {
  await shelf(false);
  expect(screen.queryByText(/Last bought/)).toBeNull();
  expect(asked).not.toContain("/v1/last-bought");
});
