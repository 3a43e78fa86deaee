import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { begin, end } from "~/shared/session/session";
import { aPerson, aRep } from "~/testing/a-person";
import { show, showPage } from "~/testing/show";
import { Businesses, Cases, Orders, Plans } from "./parts";

afterEach(() => {
  end();
  vi.restoreAllMocks();
});

const business = {
  code: "N1001",
  company_name: "Harbour Car Audio",
  town: "Halifax",
  balance: null,
  past_due_invoices: null,
  last_order_at: null,
};

function Recent() {
  const [present, setPresent] = useState<string>();
  return (
    <Businesses
      recent={[business]}
      present={present}
      busy={false}
      onChoose={setPresent}
      onSelect={() => undefined}
    />
  );
}

test("whoever chooses a business has the focus still where they chose it", async () => {
  show(<Recent />);
  await userEvent.click(screen.getByRole("button", { name: "Work for Harbour Car Audio" }));
  const chosen = screen.getByRole("button", { name: "Selected" });
  expect(chosen).toHaveFocus();
  expect(chosen).toHaveAttribute("aria-disabled", "true");
});

test("whoever worked for nobody yet has one thing to do, and whoever ordered nothing too", async () => {
  const onSelect = vi.fn();
  const nothing = { count: 0, results: [] };
  await showPage(
    <>
      <Businesses
        recent={[]}
        present={undefined}
        busy={false}
        onChoose={vi.fn()}
        onSelect={onSelect}
      />
      <Orders orders={nothing} />
    </>,
  );
  await userEvent.click(screen.getByRole("button", { name: "Select a business" }));
  expect(onSelect).toHaveBeenCalledOnce();
  expect(screen.queryByRole("button", { name: "All businesses" })).toBeNull();
  expect(screen.getByRole("link", { name: "Find products" })).toHaveAttribute("href", "/search");
});

/** One open case of each kind of thing. */
function aCase(kind: "order" | "cart" | "purchase" | "invoice_payment") {
  const what = { cause: "let_go", owed: 0, currency: "USD" } as const;
  const opened_at = "2026-11-21T12:00:00Z";
  return { ...what, id: `case-${kind}`, kind, belongs_to: "x1", name: `The ${kind}`, opened_at };
}

const CASES = (["order", "cart", "purchase", "invoice_payment"] as const).map(aCase);

test("each open case leads to the page of what it stands on; a cart is its person's alone", async () => {
  begin(aPerson({ purchasing_rights: true }), "t");
  await showPage(<Cases cases={CASES} />);
  expect(screen.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
    "/order/x1",
    "/cart/checkout/subscriptions?uuid=x1",
    "/invoice-payment/complete?id=x1",
  ]);
});

test("an outside rep, who has no page of plans and payments, reads of their cases", async () => {
  begin(aRep(true), "t");
  await showPage(<Cases cases={CASES} />);
  expect(screen.getByText("The invoice_payment")).toBeVisible();
  expect(screen.getAllByRole("link")).toHaveLength(1);
});

test("a plan that ends is renewed by one press, up to its payment", async () => {
  begin(aPerson({ purchasing_rights: true }), "t");
  const asked: unknown[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    asked.push(await (request as Request).json());
    return Response.json({ uuid: "quote-1" });
  });
  const [device_key, plan_id] = ["FT-X1-00000042", "premium_prepaid-1_year"];
  const ending = { device_key, plan_id, product_name: "X1", plan_name: "Premium Prepaid" };
  const ends_at = "2027-03-01T12:00:00Z";
  const { history } = await showPage(
    <Plans plans={{ results: [{ ...ending, ends_at }], more: false }} />,
  );
  await userEvent.click(screen.getByRole("button", { name: `Renew ${device_key}` }));
  await waitFor(() =>
    expect(history.location.href).toBe("/cart/checkout/subscriptions?uuid=quote-1"),
  );
  expect(asked).toEqual([{ line_items: [{ device_key, plan_id }] }]);
});
