import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { showPage } from "~/testing/show";
import { CaseScreen } from "./case-screen";
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
  },
  detail: "The goods are lost.",
  amount: 104.99,
  given_back: 0,
  lowered: [],
  taken_off: 0,
  currency: "USD",
  owner_id: null,
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

afterEach(() => {
  vi.restoreAllMocks();
});

test("a case says what happened, what was done, and what is to be paid back", async () => {
  holding(CASE);
  await showPage(<CaseScreen id="c1" />);
  expect(await screen.findByRole("heading", { name: "Case Order T-100001" })).toBeVisible();
  expect(screen.getByText("Money could not be paid back at once")).toBeVisible();
  expect(screen.getByText("The card's bank does not take this refund.")).toBeVisible();
  expect(screen.getByText("$104.99")).toBeVisible();
  expect(screen.getByText("The card's bank said no.")).toBeVisible();
  expect(screen.getByRole("link", { name: "Order T-100001" })).toHaveAttribute(
    "href",
    "/operations/run?kind=placement&id=token",
  );
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

test("an administrator takes it without naming anybody", async () => {
  const asked = holding(CASE);
  await showPage(<CaseScreen id="c1" />);
  await userEvent.click(await screen.findByRole("button", { name: "Take it myself" }));
  expect(asked).toEqual(["/v1/operations/cases/c1/assign"]);
});

test("a case that has ended can only be read", async () => {
  holding({ ...CASE, state: "solved", given_back: 104.99, error: null, allowed: [] });
  await showPage(<CaseScreen id="c1" />);
  expect(await screen.findByText("Solved")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Resolved by hand" })).toBeNull();
});
