import { screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { begin, end } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { tellingAccount } from "~/testing/an-account";
import { showPage } from "~/testing/show";
import { invoicesAddress } from "./invoices/address";
import { InvoicesScreen } from "./invoices/list-screen";
import { BillingScreen } from "./screen";
import { statementAddress } from "./statement/address";
import { StatementScreen } from "./statement/screen";

beforeEach(() => begin(aPerson(), "token"));
afterEach(() => {
  end();
  vi.restoreAllMocks();
});

const PAGES = [
  ["cards and bank accounts", <BillingScreen key="billing" />],
  ["invoices", <InvoicesScreen key="invoices" address={invoicesAddress({})} />],
  ["the statement", <StatementScreen key="statement" address={statementAddress({})} />],
] as const;

test.each(PAGES)("%s: what the business owes is shown", async (_, page) => {
  tellingAccount(false);
  await showPage(page);
  expect(await screen.findByText("$1,234.50")).toBeVisible();
});

test.each(PAGES)(
  "%s: whoever sees the business without its money is shown none of it",
  async (_, page) => {
    const asked = tellingAccount(true);
    await showPage(page);
    await vi.waitFor(() => expect(asked).toHaveBeenCalled());
    expect(screen.queryByRole("region", { name: "Account" })).toBeNull();
  },
);
