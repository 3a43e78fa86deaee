import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { showPage } from "~/testing/show";
import { AuditScreen } from "./audit/screen";
import { AuditTable } from "./audit/table";
import { PayoutsSection } from "./payouts/section";
import { ReconciliationSection } from "./reconciliation/section";
import { Runs } from "./runs";

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

test("without payouts that wait one sees those that are paid, and the other way round", async () => {
  const asked = empty();
  await showPage(<PayoutsSection />);
  await press("Show those that are paid");
  await press("Show those that are not paid");
  expect(shown(asked)).toEqual(["open", "paid", "open"]);
});

test("without open differences one sees those that are settled, and the other way round", async () => {
  const asked = empty();
  await showPage(<ReconciliationSection />);
  await press("Show settled ones");
  await press("Show open ones");
  expect(shown(asked)).toEqual(["open", "settled", "open"]);
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
