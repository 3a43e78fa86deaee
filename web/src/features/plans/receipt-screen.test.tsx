import { screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { begin, end } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { lookAgain } from "~/testing/look-again";
import { A_CASE } from "~/testing/runs/a-case";
import { showPage } from "~/testing/show";
import type { Receipt } from "./receipt-queries";
import { ReceiptScreen } from "./receipt-screen";

afterEach(() => {
  end();
  vi.restoreAllMocks();
});

type Line = Receipt["lines"][number];

function aLine(device_key: string, status: Line["status"]): Line {
  return {
    device_key,
    product_name: "ft-x1",
    plan_id: "premium_prepaid-1_year",
    plan_name: "Premium Prepaid",
    base_amount: 100,
    discount: 20,
    credit: 0,
    tax: 11.2,
    total: 91.2,
    ends_at: "2027-11-27T12:00:00Z",
    status,
    detail: null,
  };
}

function aReceipt(lines: Line[]): Receipt {
  return {
    uuid: "p1",
    partner_code: "N1",
    dealer_id: null,
    owner_id: null,
    subscriber_id: null,
    bought_by: "Ina Installer",
    acting_for: null,
    succeeded: true,
    detail: null,
    transaction_id: "pay_1",
    payment_shown: "Visa •••• 4242",
    currency: "USD",
    base_amount: 300,
    currency_discount: 60,
    base_tax: 33.6,
    gst_hst: 33.6,
    final_charge: 273.6,
    refunded: 0,
    lines,
    taxes: [],
    address: {
      name: "Harbour Car Audio",
      street: "1 Water Street",
      city: "Halifax",
      country_area: "NS",
      postal_code: "B3H 1A1",
      country: "CA",
      id: null,
    },
    created_at: "2026-11-27T12:00:00Z",
    completed_at: null,
  };
}

test("a receipt tells no end of a plan that is not set up, but how its device stands", async () => {
  const lines = [
    aLine("FT-X1-00000040", "provisioned"),
    aLine("FT-X1-00000041", "failed"),
    aLine("FT-X1-00000042", "owed"),
  ];
  vi.spyOn(globalThis, "fetch").mockResolvedValue(Response.json(aReceipt(lines)));
  await showPage(<ReceiptScreen uuid="p1" />);
  expect(await screen.findByText(/this receipt may change/)).toBeVisible();
  const said = (key: string) => within(screen.getByRole("row", { name: new RegExp(key) }));
  expect(said("FT-X1-00000040").getByText(/until/)).toBeVisible();
  expect(said("FT-X1-00000041").getByText("Not set up")).toBeVisible();
  expect(said("FT-X1-00000041").queryByText(/until/)).toBeNull();
  expect(said("FT-X1-00000042").getByText("Being paid back")).toBeVisible();
});

test("a look that fails is told above the receipt", async () => {
  const receipt = aReceipt([aLine("FT-X1-00000040", "provisioned")]);
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) =>
    Response.json(
      new URL((request as Request).url).pathname.endsWith("/cases") ? { results: [] } : receipt,
    ),
  );
  await showPage(<ReceiptScreen uuid="p1" />);
  await screen.findByText("pay_1");
  vi.mocked(fetch).mockImplementation(async () => Response.json({}, { status: 500 }));
  lookAgain();
  expect(await screen.findByRole("button", { name: "Try again" })).toBeVisible();
  expect(screen.getByText("pay_1")).toBeVisible();
});

test("a receipt that may change leads to its purchase, and tells what happened to the money", async () => {
  begin(aPerson({ purchasing_rights: true }), "t");
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) =>
    new URL((request as Request).url).pathname.endsWith("/cases")
      ? Response.json({ results: [{ ...A_CASE, belongs_to: { kind: "purchase", id: "p1" } }] })
      : Response.json(aReceipt([aLine("FT-X1-00000042", "owed")])),
  );
  await showPage(<ReceiptScreen uuid="p1" />);
  expect(await screen.findByRole("region", { name: "Your money" })).toBeVisible();
  expect(screen.getByRole("link", { name: "See how far it is" })).toHaveAttribute(
    "href",
    "/cart/checkout/subscriptions?uuid=p1",
  );
});
