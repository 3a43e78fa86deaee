import { cleanup, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { FlowEvent } from "~/shared/live/frames";
import { live } from "~/shared/live/live";
import { showPage } from "~/testing/show";
import { CaseScreen } from "./case-screen";
import { CasesScreen } from "./list-screen";
import type { Case } from "./queries";

const CASE: Case = {
  id: "c1",
  state: "needs_attention",
  cause: "refund_refused",
  belongs_to: {
    kind: "order",
    id: "o1",
    name: "Order T-100001",
    number: "T-100001",
    flow: "placement",
    flow_id: "token",
    is_promised: false,
  },
  detail: "The goods are lost.",
  amount: 104.99,
  given_back: 0,
  lowered: [],
  taken_off: 0,
  currency: "USD",
  owner_id: null,
  payer_id: null,
  owner: null,
  attempt: 6,
  owed: 0,
  payment: null,
  opened_at: "2026-11-20T12:00:00Z",
  due_at: "2026-11-22T12:00:00Z",
  deadline: null,
  error: { code: "refund_refused", detail: "The card's bank does not take this refund." },
  done: [{ at: "2026-11-20T12:01:00Z", by: null, text: "The card's bank said no." }],
  updated_at: "2026-11-20T12:01:00Z",
  version: 1,
  rev: 4,
  seq: 2,
  ended: false,
  allowed: ["RETRY", "ASSIGN", "NOTE", "RESOLVE"],
};

/** A server that holds this case and notes what it was asked. */
function holding(one: Case) {
  const asked: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    const { url, method } = request as Request;
    if (method === "POST") asked.push(new URL(url).pathname);
    return Response.json(one);
  });
  return asked;
}

const heard: ((event: FlowEvent) => void)[] = [];

beforeEach(() => {
  heard.length = 0;
  vi.spyOn(live, "follow").mockImplementation((topic, listener) => {
    if (topic === "case:c1") heard.push(listener);
    return () => undefined;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

test("a case says what happened, what was done, and what is to be paid back", async () => {
  holding(CASE);
  await showPage(<CaseScreen id="c1" />);
  expect(await screen.findByRole("heading", { name: "Case of order T-100001" })).toBeVisible();
  expect(screen.getByText("Money could not be paid back at once")).toBeVisible();
  expect(screen.getByText("The card's bank does not take this refund.")).toBeVisible();
  expect(screen.getByText("$104.99")).toBeVisible();
  expect(screen.getByText("The card's bank said no.")).toBeVisible();
  expect(screen.getByRole("link", { name: "Order T-100001" })).toHaveAttribute(
    "href",
    "/operations/run?kind=placement&id=token",
  );
});

test.each([
  ["cart", "Case of a cart"],
  ["purchase", "Case of a purchase of plans"],
  ["invoice_payment", "Case of a payment of invoices"],
] as const)("the heading of a case of a %s is one text", async (kind, name) => {
  holding({ ...CASE, belongs_to: { ...CASE.belongs_to, kind, number: null } });
  await showPage(<CaseScreen id="c1" />);
  expect(await screen.findByRole("heading", { name, level: 1 })).toBeVisible();
});

test("when a case should be settled is told on its page and in the list", async () => {
  holding(CASE);
  await showPage(<CaseScreen id="c1" />);
  const due = (await screen.findByText("Due")).nextElementSibling;
  expect(due).toHaveTextContent(/^Nov 22, 2026, /);
  cleanup();
  vi.spyOn(globalThis, "fetch").mockImplementation(async () =>
    Response.json({ results: [CASE], end_cursor: null }),
  );
  await showPage(<CasesScreen ended={false} />);
  const row = await screen.findByRole("row", { name: /Order T-100001/ });
  const heads = screen.getAllByRole("columnheader").map((head) => head.textContent);
  const cells = Array.from(row.children, (cell) => cell.textContent);
  expect(cells[heads.indexOf("Due")]).toBe("Nov 22, 2026");
});

test("nothing is done about it without a word of what was done", async () => {
  const asked = holding(CASE);
  await showPage(<CaseScreen id="c1" />);
  const resolve = await screen.findByRole("button", { name: "Resolved by hand" });
  await userEvent.click(resolve);
  const note = screen.getByRole("textbox", { name: /What was done/ });
  expect(note).toHaveFocus();
  expect(note).toHaveAccessibleDescription("Required field");
  expect(asked).toEqual([]);
  await userEvent.type(note, "A cheque was sent");
  await userEvent.click(resolve);
  expect(asked).toEqual(["/v1/operations/cases/c1/resolve"]);
});

test("of what a bank took back nothing is to be paid back: it is owed, until a day", async () => {
  const owed: Case = {
    ...CASE,
    state: "owed",
    cause: "debit_returned",
    owed: 84.99,
    lowered: [{ case_id: "c2", amount: 20 }],
    payment: { type: "CARD", method_id: "m", shown: "Visa 4242", attempt: 2, detail: "No funds." },
    deadline: "2026-11-25T12:00:00Z",
    allowed: ["ASSIGN", "NOTE", "RESOLVE"],
  };
  holding(owed);
  await showPage(<CaseScreen id="c1" />);
  const said = async (head: string) => (await screen.findByText(head)).nextElementSibling;
  expect(await said("Taken by the bank")).toHaveTextContent("$104.99");
  expect(await said("Owed")).toHaveTextContent("$84.99");
  expect(await said("Less for goods that are never sent")).toHaveTextContent("$20.00");
  expect(await said("Until")).toHaveTextContent(/^Nov 25, 2026, /);
  expect(await said("Last try to pay")).toHaveTextContent("Visa 4242No funds.");
  expect(screen.getByText("The buyer's bank returned the payment")).toBeVisible();
  expect(screen.queryByText("To pay back")).toBeNull();
  expect(screen.queryByText("Paid back")).toBeNull();
  const waives = screen.getByRole("button", {
    name: "It was paid by hand: let everything go on",
  });
  expect(waives).toHaveAttribute("data-variant", "default");
  cleanup();
  vi.spyOn(globalThis, "fetch").mockImplementation(async () =>
    Response.json({ results: [owed], end_cursor: null }),
  );
  await showPage(<CasesScreen ended={false} />);
  const row = await screen.findByRole("row", { name: /Order T-100001/ });
  const heads = screen.getAllByRole("columnheader").map((head) => head.textContent);
  const cells = Array.from(row.children, (cell) => cell.textContent);
  expect(["To pay back", "Owed"].map((head) => cells[heads.indexOf(head)])).toEqual([
    "–",
    "$84.99",
  ]);
});

test("an administrator takes it without naming anybody", async () => {
  const asked = holding(CASE);
  await showPage(<CaseScreen id="c1" />);
  await userEvent.click(await screen.findByRole("button", { name: "Take it myself" }));
  expect(asked).toEqual(["/v1/operations/cases/c1/assign"]);
});

test("a case that has ended can only be read", async () => {
  holding({ ...CASE, state: "solved", given_back: 104.99, error: null, allowed: [], ended: true });
  await showPage(<CaseScreen id="c1" />);
  expect(await screen.findByText("Solved")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Resolved by hand" })).toBeNull();
});

test("what a case becomes is told by its run, and what was heard before changes nothing", async () => {
  holding(CASE);
  await showPage(<CaseScreen id="c1" />);
  expect(await screen.findByText("Needs attention")).toBeVisible();
  const told = (rev: number, state: string) =>
    ({
      kind: "case",
      id: "c1",
      version: 1,
      rev,
      seq: 2,
      state,
      allowed: [],
      ended: state === "resolved",
      view: { ...CASE, state },
    }) as unknown as FlowEvent; // as it comes from the wire
  for (const hear of heard) hear(told(5, "resolved"));
  await vi.waitFor(() => expect(screen.queryByRole("button")).toBeNull());
  expect(screen.getByText("Resolved by hand")).toBeVisible();
  for (const hear of heard) hear(told(3, "waiting"));
  expect(screen.getByText("Resolved by hand")).toBeVisible();
});

test("a case that no run has shown yet is only read, and followed by nobody", async () => {
  holding({ ...CASE, state: "working", rev: -1, error: null, allowed: [] });
  await showPage(<CaseScreen id="c1" />);
  expect(await screen.findByText("Being worked on")).toBeVisible();
  expect(heard).toEqual([]);
});

test("a refusal stands at what was asked", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) =>
    (request as Request).method === "POST"
      ? Response.json(
          { status: 409, code: "case_full", title: "Conflict", detail: "Too many notes." },
          { status: 409, headers: { "Content-Type": "application/problem+json" } },
        )
      : Response.json(CASE),
  );
  await showPage(<CaseScreen id="c1" />);
  await userEvent.type(await screen.findByRole("textbox", { name: /What was done/ }), "Called");
  await userEvent.click(screen.getByRole("button", { name: "Write it down" }));
  const panel = screen.getByRole("region", { name: "What to do" });
  expect(await within(panel).findByRole("alert")).toBeVisible();
  expect(screen.getAllByRole("alert")).toHaveLength(1);
  expect(screen.getByRole("textbox", { name: /What was done/ })).toHaveValue("Called");
});
