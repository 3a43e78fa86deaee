import { screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { showPage } from "~/testing/show";
import { StatementScreen } from "./screen";

afterEach(() => vi.restoreAllMocks());

const DAYS = { from: "2026-03-01", to: "2026-03-31" };
const AN_ENTRY = {
  date: "2026-03-05",
  kind: "invoice",
  number: "INV-1",
  invoiceNumber: "INV-1",
  amount: { amount: 10 },
  balance: { amount: 10 },
};

/** A statement of these days with so many entries, of which one is on the page. */
function holding(count: number) {
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) =>
    new URL((request as Request).url).pathname === "/v1/statement"
      ? Response.json({
          ...DAYS,
          sapBpCode: "N1",
          openingBalance: { amount: 0 },
          closingBalance: { amount: 10 },
          results: [AN_ENTRY],
          count,
          page: 1,
          limit: 25,
          ageing: [{ bucket: "current", count: 1, amount: { amount: 10 } }],
        })
      : new Response(null, { status: 404 }),
  );
}

test.each([
  [30, "(1 to 1 on this page; all of them in the PDF)"],
  [5001, "(1 to 1 on this page; the first 5,000 in the PDF, all of them in the CSV)"],
])("of %d entries it is said where all of them are", async (count, words) => {
  holding(count);
  await showPage(<StatementScreen address={{ ...DAYS, p: undefined }} />);
  expect(await screen.findByText(words, { exact: false })).toBeVisible();
});

test("what is open by age is said to be of today, whatever the days", async () => {
  holding(30);
  await showPage(<StatementScreen address={{ ...DAYS, p: undefined }} />);
  expect(await screen.findByRole("region", { name: "Open today, by age" })).toBeVisible();
});
