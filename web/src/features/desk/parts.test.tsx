import { i18n } from "@lingui/core";
import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { messages as en } from "~/i18n/en.po";
import { messages as fr } from "~/i18n/fr.po";
import { begin, end } from "~/shared/session/session";
import { aPerson, aRep } from "~/testing/a-person";
import { show, showPage } from "~/testing/show";
import { Businesses, Cases, Credit, Operations, Orders, Plans } from "./parts";

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
  const number = kind === "order" ? "T-1" : null;
  const of = { kind, belongs_to: "x1", name: `The ${kind}`, number };
  return { ...what, ...of, id: `case-${kind}`, opened_at };
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

test("what a case stands on is named in the reader's language", async () => {
  begin(aPerson({ purchasing_rights: true }), "t");
  act(() => i18n.loadAndActivate({ locale: "fr", messages: fr }));
  await showPage(<Cases cases={CASES} />);
  expect(screen.getAllByRole("link").map((link) => link.textContent)).toEqual([
    "Commande T-1",
    "Achat de forfaits",
    "Paiement de factures",
  ]);
  act(() => i18n.loadAndActivate({ locale: "en", messages: en }));
  expect(screen.getByRole("link", { name: "Order T-1" })).toBeVisible();
});

test("an outside rep, who has no page of plans and payments, reads of their cases", async () => {
  begin(aRep(true), "t");
  await showPage(<Cases cases={CASES} />);
  expect(screen.getByText("Payment of invoices")).toBeVisible();
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

test("orders under way tell number, PO, where each is and its sum, and how many more there are", async () => {
  const first = { id: "o1", number: "T-100001", poNumber: "PO 7", status: "placed", total: 30 };
  const second = { ...first, id: "o2", number: "T-100002", poNumber: "", status: "part_shipped" };
  const created = "2026-11-20T12:00:00Z";
  const results = [first, second].map((one) => ({ ...one, created }));
  await showPage(
    <Orders orders={{ count: 7, results } as Parameters<typeof Orders>[0]["orders"]} />,
  );
  const [one, other] = screen.getAllByRole("listitem");
  expect(one).toHaveTextContent(/^T-100001PO 7.+\$30\.00$/);
  expect(other).toHaveTextContent(/^T-100002.+\$30\.00$/);
  expect(screen.getByRole("link", { name: "T-100001" })).toHaveAttribute("href", "/order/o1");
  expect(screen.getByText("5 more are under way")).toBeVisible();
});

test("credit stands with its three figures and as a bar, and is not made up where nobody told it", () => {
  show(<Credit credit={{ used: 350, left: 650, limit: 1000 }} />);
  const credit = within(screen.getByRole("region", { name: "Credit" }));
  expect(credit.getAllByRole("term").map((term) => term.parentElement?.textContent)).toEqual([
    "Used$350.00",
    "Left$650.00",
    "Limit$1,000.00",
  ]);
  expect(credit.getByRole("meter")).toHaveAttribute("value", "350");
  cleanup();
  show(<Credit credit={null} />);
  expect(screen.getByText(/^Not known yet/)).toBeVisible();
  expect(screen.queryByRole("meter")).toBeNull();
});

test("a recent business tells its town, what it owes and when it ordered last", () => {
  const known = { ...business, balance: 12.5, last_order_at: "2026-11-20T12:00:00Z" };
  const nothing = { busy: false, onChoose: vi.fn(), onSelect: vi.fn() };
  show(
    <Businesses recent={[known, { ...business, code: "N1002" }]} present="N1001" {...nothing} />,
  );
  const [one, other] = screen.getAllByRole("listitem");
  expect(one).toHaveTextContent("N1001 · Halifax · owes $12.50 · last order Nov 20, 2026");
  expect(other).toHaveTextContent("N1002 · Halifax · no order yet");
});

test("the operators' figures lead to their lists, and name who does not answer", async () => {
  const figures = { attention: 4, stuck: 3, retrying: 2, open_cases: 1, unwell: ["The ERP"] };
  await showPage(<Operations figures={figures} />);
  const rows = screen.getAllByRole("listitem").map((row) => row.textContent);
  expect(rows).toEqual(["Needs attention4", "Stuck3", "Trying again and again2", "Open cases1"]);
  expect(screen.getByRole("link", { name: "Stuck" })).toHaveAttribute(
    "href",
    "/operations?shown=stuck",
  );
  expect(screen.getByText("Not answering: The ERP")).toBeVisible();
});
