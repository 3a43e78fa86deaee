import { screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { begin, end } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { tellingAccount } from "~/testing/an-account";
import { showPage } from "~/testing/show";
import { BillingScreen } from "./screen";

beforeEach(() => begin(aPerson(), "token"));
afterEach(() => {
  end();
  vi.restoreAllMocks();
});

test("cards and bank accounts show what the business owes", async () => {
  tellingAccount(false);
  await showPage(<BillingScreen />);
  expect(await screen.findByText("$1,234.50")).toBeVisible();
});

test("cards and bank accounts show whoever sees the business without its money none of it", async () => {
  const asked = tellingAccount(true);
  await showPage(<BillingScreen />);
  await vi.waitFor(() => expect(asked).toHaveBeenCalled());
  expect(screen.queryByRole("region", { name: "Account" })).toBeNull();
});
