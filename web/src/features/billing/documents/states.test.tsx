import { screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { showPage } from "~/testing/show";
import { memosAddress } from "../credit-memos/address";
import { CreditMemosScreen } from "../credit-memos/list-screen";
import { invoicesAddress } from "../invoices/address";
import { InvoicesScreen } from "../invoices/list-screen";
import { statementAddress } from "../statement/address";
import { StatementScreen } from "../statement/screen";

const DAYS = { from: "2026-08-29", to: "2026-11-27", sapBpCode: "N1001" };
const NOTHING = { openingBalance: { amount: 0 }, closingBalance: { amount: 0 }, ...DAYS };
const EMPTY = {
  results: [],
  count: 0,
  countOfAll: 0,
  counts: { open: 0, applied: 0 },
  ageing: [],
  page: 1,
  limit: 25,
  endCursor: null,
  ...NOTHING,
};
const LISTS: [string, ReactNode, RegExp][] = [
  ["invoices", <InvoicesScreen key="i" address={invoicesAddress({})} />, /An invoice appears here/],
  [
    "credit memos",
    <CreditMemosScreen key="m" address={memosAddress({})} />,
    /A credit memo appears here/,
  ],
  [
    "a statement's entries",
    <StatementScreen key="s" address={statementAddress({})} />,
    /Nothing happened on the account in these days/,
  ],
];

afterEach(() => {
  vi.restoreAllMocks();
});

test.each(LISTS)(
  "a list of %s that is awaited is busy, and says when it is empty",
  async (_, list, words) => {
    let answer = (_: Response) => {};
    const waiting = new Promise<Response>((resolve) => {
      answer = resolve;
    });
    vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
      const { pathname } = new URL((request as Request).url);
      return /\/(api\/(invoices|credit-memos)|v1\/statement)$/.test(pathname)
        ? (await waiting).clone()
        : new Promise<Response>(() => undefined);
    });
    const { container } = await showPage(list);
    expect(container.querySelector("[aria-busy=true]")).not.toBeNull();
    expect(screen.queryByText(words)).toBeNull();
    answer(Response.json(EMPTY));
    expect(await screen.findByText(words)).toBeVisible();
  },
);

test.each(LISTS)("a list of %s that the server refuses says so", async (_, list) => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () =>
    Response.json({ code: "unavailable", detail: "Away" }, { status: 503 }),
  );
  await showPage(list);
  expect((await screen.findAllByText(/try again/i)).length).toBeGreaterThan(0);
});
