import { useSearch } from "@tanstack/react-router";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ComponentType } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { showPage } from "~/testing/show";
import { AuditScreen } from "./audit/screen";
import { AuditTable } from "./audit/table";
import { PayoutsSection } from "./payouts/section";
import type { OperationsAddress } from "./queries";
import { ReconciliationSection } from "./reconciliation/section";
import { Runs } from "./runs/runs";

afterEach(() => {
  vi.restoreAllMocks();
});

/** A server that has nothing, and notes what it was asked for. */
function empty() {
  const asked: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    const { pathname, search } = new URL((request as Request).url);
    asked.push(pathname + search);
    if (pathname.endsWith("/reconciliation"))
      return Response.json({ under_way: null, last: null, open: {} });
    return Response.json({ results: [], count: 0, things: [], end_cursor: null });
  });
  return asked;
}

/** What of a list was asked for, one after the other. */
const shown = (asked: string[]) =>
  asked.flatMap((one) => /\b(?:shown|state)=(\w+)/.exec(one)?.[1] ?? []);

const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

type ListProps = { of: ComponentType<{ address: OperationsAddress }> };

/** A list of the page, as the address of the page has it. */
function Addressed({ of: List }: ListProps) {
  return <List address={useSearch({ strict: false })} />;
}

test.each([
  [PayoutsSection, "Show those that are paid", "payouts=paid", "Show those that are not paid"],
  [ReconciliationSection, "Show settled ones", "differences=settled", "Show open ones"],
])(
  "without what is open one sees what is not, in the address, and the other way round: %o",
  async (of, other, named, usual) => {
    const asked = empty();
    const { history } = await showPage(<Addressed of={of} />, "/operations?shown=ended");
    await press(other);
    await waitFor(() => expect(history.location.href).toBe(`/operations?shown=ended&${named}`));
    await press(usual);
    await waitFor(() => expect(history.location.href).toBe("/operations?shown=ended"));
    expect(shown(asked)).toEqual(["open", named.split("=")[1], "open"]);
  },
);

test("what an address names that is no list shows what is open", async () => {
  const asked = empty();
  await showPage(<Addressed of={PayoutsSection} />, "/operations?payouts=lost");
  expect(await screen.findByText("No payouts")).toBeVisible();
  expect(shown(asked)).toEqual(["open"]);
});

test("a search for runs leaves what is shown of the other lists", async () => {
  empty();
  const { history } = await showPage(<Runs filters={{}} others={{ payouts: "paid" }} />);
  await userEvent.type(screen.getByRole("textbox", { name: /^Serial/ }), "FT-X1");
  await press("Search");
  await waitFor(() => expect(history.location.search).toContain("payouts=paid"));
});

test.each([
  [{ narrowed: true }, "/audit"],
  [{ narrowed: false }, "/operations"],
])("an empty audit leads elsewhere than where one is (%o)", async (how, href) => {
  await showPage(<AuditTable entries={[]} {...how} />);
  expect(screen.getByRole("link")).toHaveAttribute("href", href);
});

test.each([
  [{}, "/operations?shown=all"],
  [{ shown: "all", kind: "placement" } as const, "/operations?shown=all"],
  [{ shown: "all" } as const, "/activation"],
])("an empty list of runs leads elsewhere than where one is (%o)", async (filters, href) => {
  empty();
  await showPage(<Runs filters={filters} />);
  expect(await screen.findByRole("link")).toHaveAttribute("href", href);
});

test.each([
  ["runs", <Runs key="runs" filters={{ subject: "FT-X1-00000042", kind: "placement" }} />],
  ["entries", <AuditScreen key="audit" filters={{ actor: "user:p1", outcome: "done" }} />],
])(
  "a list of %s folds all but its first filter behind one button, which counts them",
  async (_, list) => {
    empty();
    await showPage(list);
    expect(await screen.findByRole("button", { name: "Filters (1)" })).toBeVisible();
  },
);
