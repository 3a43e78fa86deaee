import { screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { begin } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { showPage } from "~/testing/show";
import { AccountBox } from "./account-box";

const MONEY = {
  accountBalance: 1234.5,
  creditLimit: 20_000,
  availableCredit: 18_765.5,
  pastDueInvoices: 2,
  invoices: { totalCount: 31 },
};

function told(money: object) {
  vi.spyOn(globalThis, "fetch").mockResolvedValue(Response.json(money));
}

beforeEach(() => begin(aPerson(), "token"));
afterEach(() => vi.restoreAllMocks());

test("what is owed, what is left, and the invoices", async () => {
  told(MONEY);
  await showPage(<AccountBox />);
  const box = await screen.findByRole("region", { name: "Account" });
  expect(box.textContent).toContain("Account balance$1,234.50");
  expect(box.textContent).toContain("Available credit$18,765.50");
  const late = screen.getByRole("link", { name: "2 invoices" });
  expect(late.getAttribute("href")).toBe("/invoice?status=past_due");
  expect(screen.getByRole("link", { name: "31 invoices" })).toBeDefined();
});

test("who sees the business without its money sees no box", async () => {
  told({ limited: true });
  const { container } = await showPage(<AccountBox />);
  await vi.waitFor(() => expect(fetch).toHaveBeenCalled());
  expect(container.querySelector("dl")).toBeNull();
});
