import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { showPage } from "~/testing/show";
import type { Difference, Reconciliation } from "./queries";
import { ReconciliationSection } from "./section";

const ROUND = {
  id: "reconciliation-1",
  asked_by: "system:reconciliation",
  began_at: "2026-11-24T08:00:00Z",
  ended_at: "2026-11-24T08:01:00Z",
  compared: { payments: 1200, orders: 34 },
  failed: ["balances"],
};

const NOW: Reconciliation = { under_way: null, last: ROUND, open: { charged_twice: 1 } };

const DIFFERENCE: Difference = {
  id: `dif_${"1".repeat(32)}`,
  kind: "charged_twice",
  state: "open",
  about: [{ kind: "order", id: "o1", name: "T-100001", run_id: "token" }],
  partner_code: "N1010",
  here: "pi_1",
  there: "pi_2",
  amount: 104.99,
  charge_id: "pi_2",
  found_at: "2026-11-24T08:00:30Z",
  ended_at: null,
  settled_by: null,
  note: null,
};

/** A server that answers these and notes what it was sent. */
function serving(now: Reconciliation, results: Difference[], refused = false) {
  const sent: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    const { url, method } = request as Request;
    const path = new URL(url).pathname;
    if (method === "POST") sent.push(path);
    if (path.endsWith("/settle")) return Response.json({ ...results[0], state: "settled" });
    if (!path.endsWith("/differences")) return Response.json(now);
    if (refused)
      return Response.json(
        { status: 500, code: "unexpected", detail: "Not now." },
        { status: 500 },
      );
    return Response.json({ results, end_cursor: null });
  });
  return sent;
}

afterEach(() => {
  vi.restoreAllMocks();
});

test("a difference says what it is about and what to do, and a word settles it", async () => {
  const sent = serving(NOW, [DIFFERENCE]);
  await showPage(<ReconciliationSection address={{}} />);
  const table = await screen.findByRole("table", { name: "List of differences" });
  expect(await within(table).findByText("Charged twice")).toBeVisible();
  expect(within(table).getByText(/Give the second charge back/)).toBeVisible();
  expect(within(table).getByRole("link", { name: "T-100001" })).toHaveAttribute(
    "href",
    "/operations/run?kind=placement&id=token",
  );
  expect(screen.getByText(/1,234 entries/)).toHaveTextContent("could not be compared: balances");
  await userEvent.click(screen.getByRole("button", { name: "Settle: T-100001" }));
  const take = screen.getByRole("button", { name: "Take it off the list" });
  await userEvent.click(take);
  const note = screen.getByRole("textbox", { name: /What was done/ });
  expect(note).toHaveAccessibleDescription("Required field");
  expect(sent).toEqual([]);
  await userEvent.type(note, "Given back");
  await userEvent.click(take);
  expect(sent).toEqual([`/v1/operations/reconciliation/differences/${DIFFERENCE.id}/settle`]);
});

test("without differences it says so, and while a round is under way none is begun", async () => {
  const under = { ...ROUND, ended_at: null };
  serving({ under_way: under, last: null, open: {} }, []);
  await showPage(<ReconciliationSection address={{}} />);
  expect(await screen.findByText("No differences")).toBeVisible();
  expect(await screen.findByRole("button", { name: "Comparing…" })).toBeDisabled();
  expect(screen.getByText(/were not compared yet/)).toBeVisible();
});

test("a list that does not come can be asked for again", async () => {
  serving({ under_way: null, last: null, open: {} }, [], true);
  await showPage(<ReconciliationSection address={{}} />);
  expect(await screen.findByRole("button", { name: "Try again" })).toBeVisible();
  expect(screen.queryByText("No differences")).toBeNull();
});
