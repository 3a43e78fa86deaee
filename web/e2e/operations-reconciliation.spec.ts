import { axe, expect, heading, press, signIn, test } from "./journey";
import { ADA } from "./people";
import { aNumber } from "./stack";

const SIMULATORS = process.env.E2E_SIMULATORS_URL ?? "http://127.0.0.1:9000";

test("an administrator has the books compared, and settles what is found @phone", async ({
  page,
}) => {
  test.setTimeout(180_000);
  const reference = `T-J${aNumber()}`;
  const address = { city: "Montréal" };
  const entered = await page.request.post(`${SIMULATORS}/erp/_orders`, {
    data: {
      reference,
      business_partner: "N1010",
      po_number: "ERP-STUCK",
      currency: "USD",
      payment: "TERMS",
      shipping_method: "ground",
      ship_to: address,
      bill_to: address,
      lines: [{ sku: "T-1", quantity: 1, now: 1, later: 0, unit_price: 10 }],
      subtotal: 10,
      freight: 0,
      tax: 0,
      total: 10,
    },
  });
  expect(entered.ok()).toBe(true);

  await signIn(page, ADA);
  await page.goto("/operations");
  await expect(heading(page, "Operations")).toBeVisible();
  const section = page.getByRole("region", { name: "Reconciliation" });
  const compare = section.getByRole("button", { name: "Compare now" });
  await expect(compare).toBeEnabled();
  await compare.press("Enter");
  const row = section.getByRole("row").filter({ hasText: reference });
  await expect(row.getByText("ERP order that is not known here")).toBeVisible({ timeout: 60_000 });
  await expect(section.getByText(/Last compared/)).toBeVisible({ timeout: 60_000 });
  await axe(page);

  await row.getByRole("button", { name: /^Settle/ }).press("Enter");
  await expect(section.getByLabel("What was done about it")).toBeFocused();
  await axe(page);
  await section.getByLabel("What was done about it").fill("Cancelled in the ERP.");
  await press(page, "Take it off the list");
  await expect(row).toHaveCount(0);
  await section.getByLabel("Differences", { exact: true }).selectOption("Settled");
  await expect(row.getByText("Cancelled in the ERP.")).toBeVisible();
});
