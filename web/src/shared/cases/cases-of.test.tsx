import { useQuery } from "@tanstack/react-query";
import { screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { keyOf } from "~/shared/api/operation";
import type { FlowEvent } from "~/shared/live/frames";
import { live } from "~/shared/live/live";
import { begin, end } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { A_CASE } from "~/testing/runs/a-case";
import { showPage } from "~/testing/show";
import { CasesOf } from "./cases-of";
import type { BuyersCase, Owned } from "./queries";

async function shown(...results: BuyersCase[]) {
  await shownOn("order", ...results);
}

async function shownOn(kind: Owned["kind"], ...results: BuyersCase[]) {
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) =>
    new URL((request as Request).url).pathname.endsWith("/cases")
      ? Response.json({ results })
      : new Response(null, { status: 404 }),
  );
  return await showPage(<CasesOf of={{ kind, id: "o1" }} />);
}

afterEach(() => {
  end();
  vi.restoreAllMocks();
});

const ofKind = (kind: "purchase" | "invoice_payment") => ({
  kind,
  id: "x1",
  name: "Something",
  is_promised: false,
});

test("a buyer reads that what was paid goes back, and then that it has", async () => {
  await shown(A_CASE);
  expect(await screen.findByText("The order was cancelled by the warehouse")).toBeVisible();
  expect(screen.getByText(/What you paid is being paid back/)).toBeVisible();
});

test.each([true, false])(
  "of an order on terms nothing is paid back, nor is it said that nothing is owed (open: %s)",
  async (is_open) => {
    const belongs_to = { ...A_CASE.belongs_to, is_promised: true };
    await shown({ ...A_CASE, cause: "shipment_cancelled", amount: 55.2, belongs_to, is_open });
    expect(await screen.findByText(/Nothing was charged for it/)).toBeVisible();
    expect(screen.queryByText(/paid back|owed/)).toBeNull();
  },
);

test("what was paid back is told with its day", async () => {
  await shown({ ...A_CASE, is_open: false, given_back: 104.99 });
  expect(await screen.findByText(/\$104.99 was paid back on/)).toBeVisible();
});

test("what is open is looked at again when something of it has changed, and what has ended by nobody", async () => {
  const heard = new Map<string, () => void>();
  vi.spyOn(live, "follow").mockImplementation((topic, listener) => {
    heard.set(topic, () => listener({} as FlowEvent)); // nothing of it is read
    return () => heard.delete(topic);
  });
  await shown(A_CASE, { ...A_CASE, id: "c2", is_open: false });
  await screen.findAllByText("Being taken care of");
  expect([...heard.keys()]).toEqual([`own-case:${A_CASE.id}`]);
  const done = { ...A_CASE, is_open: false, given_back: 104.99 };
  vi.mocked(fetch).mockImplementation(async () => Response.json({ results: [done] }));
  heard.get(`own-case:${A_CASE.id}`)?.();
  expect(await screen.findByText(/\$104.99 was paid back on/)).toBeVisible();
  expect([...heard.keys()]).toEqual([]);
});

/** The page of an order as far as its cases go. */
function OfOrder({ read }: { read: () => string }) {
  const params = { path: { id: "o1" } };
  useQuery({ queryKey: keyOf("get", "/v1/orders/{id}", { params }), queryFn: read });
  return <CasesOf of={{ kind: "order", id: "o1" }} />;
}

test("with a case its order is read again, whose sums tell what was given back", async () => {
  let tell: (() => void) | undefined;
  vi.spyOn(live, "follow").mockImplementation((_, listener) => {
    tell = () => listener({} as FlowEvent); // nothing of it is read
    return () => undefined;
  });
  const read = vi.fn(() => "the order");
  vi.spyOn(globalThis, "fetch").mockImplementation(async () =>
    Response.json({ results: [A_CASE] }),
  );
  await showPage(<OfOrder read={read} />);
  await screen.findByText("Being taken care of");
  expect(read).toHaveBeenCalledOnce();
  tell?.();
  await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(2));
});

test("an interrupted purchase asks nobody to pay again", async () => {
  await shown({ ...A_CASE, cause: "run_lost" });
  expect(await screen.findByText(/Please do not pay again/)).toBeVisible();
});

test("what is never sent of an order that is owed is taken off, and not called settled", async () => {
  await shown({ ...A_CASE, cause: "shipment_cancelled", is_open: false, taken_off: 10 });
  expect(await screen.findByText("$10.00 less is asked for than before.")).toBeVisible();
  expect(screen.queryByText(/Nothing is owed/)).toBeNull();
});

test.each(["invoice", "credit_memo"] as const)(
  "what happened to its payment is shown on the %s, and leads there whoever may open it",
  async (kind) => {
    begin(aPerson({ purchasing_rights: true }), "token");
    const belongs_to = ofKind("invoice_payment");
    await shownOn(kind, { ...A_CASE, cause: "chargeback", belongs_to });
    expect(await screen.findByText(/until the bank has decided/)).toBeVisible();
    expect(screen.queryByRole("link", { name: "Its payment" })?.getAttribute("href")).toBe(
      "/invoice-payment/complete?id=x1",
    );
  },
);

test("an invoice shows what is owed again for its order, and leads there", async () => {
  await shownOn("invoice", RETURNED);
  expect(await screen.findByText(/\$104.99 is owed again/)).toBeVisible();
  expect(screen.getByRole("link", { name: "Its order" }).getAttribute("href")).toBe("/order/o1");
});

const RETURNED: BuyersCase = {
  ...A_CASE,
  cause: "debit_returned",
  amount: 104.99,
  owed: 104.99,
  deadline: "2026-11-25T12:00:00Z",
};

test("goods are held, and plans rest from their day on", async () => {
  await shown(RETURNED);
  expect(await screen.findByText(/What was not sent yet is held\./)).toBeVisible();
  expect(screen.queryByText(/plans/i)).toBeNull();
});

test("plans that are owed again rest from their day on, and hold no goods", async () => {
  await shownOn("purchase", { ...RETURNED, belongs_to: ofKind("purchase") });
  expect(await screen.findByText(/Plans are suspended after November 25, 2026/)).toBeVisible();
  expect(screen.queryByText(/not sent yet/)).toBeNull();
});

test("what a bank returned is owed, and can be paid", async () => {
  await shown({
    ...A_CASE,
    cause: "debit_returned",
    amount: 104.99,
    owed: 104.99,
    may_pay: true,
    deadline: "2026-11-25T12:00:00Z",
    payment: { type: "CARD", method_id: "m1", shown: "", attempt: 1, detail: "Card declined." },
  });
  expect(await screen.findByText(/\$104.99 is owed again/)).toBeVisible();
  expect(screen.getByText("Card declined.")).toBeVisible();
  expect(screen.getByRole("button", { name: "Pay $104.99" })).toBeDisabled();
});

test("what was tried too often says whom to ask instead of how to pay", async () => {
  await shown({ ...RETURNED, is_tried_too_often: true });
  expect(await screen.findByText(/Please ask us for another way to pay/)).toBeVisible();
  expect(screen.queryByRole("button", { name: /Pay/ })).toBeNull();
});

test.each([
  ["debit_returned", true, /invoices are being opened again/],
  ["debit_returned", false, /Each invoice shows what is open on it/],
  ["chargeback", true, /until the bank has decided/],
  ["chargeback", false, /Each invoice shows what is open on it/],
  ["let_go", true, /Nothing stays charged by it/],
  ["run_lost", false, /Each invoice shows what is open on it/],
] as const)(
  "of invoices, %s (open: %s) says what becomes of them",
  async (cause, is_open, said) => {
    const belongs_to = ofKind("invoice_payment");
    await shownOn("invoice_payment", { ...RETURNED, belongs_to, owed: 0, cause, is_open });
    expect(await screen.findByText(said)).toBeVisible();
    expect(screen.queryByText(/Nothing is owed|is owed again|not sent yet/)).toBeNull();
  },
);
