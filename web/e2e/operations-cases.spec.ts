import { axe, expect, heading, press, signIn, test } from "./journey";
import { ADA } from "./people";

test("an administrator finds a case, reads what happened, and writes down what was done @phone", async ({
  page,
}) => {
  test.setTimeout(120_000);
  await signIn(page, ADA);
  await page.goto("/operations");
  await page.getByRole("link", { name: "Cases", exact: true }).click();
  await expect(heading(page, "Cases")).toBeVisible();
  const waiting = page.getByRole("row").filter({ hasText: "Needs attention" }).first();
  await expect(waiting).toBeVisible({ timeout: 30_000 });
  await axe(page);

  await waiting.getByRole("link").press("Enter");
  await expect(heading(page, /Case of order T-/)).toBeVisible();
  await expect(page.getByText(/^A run was interrupted, and something was paid/)).toBeVisible();
  await axe(page);
  await page.getByLabel("What was done about it").fill("The buyer was called.");
  await press(page, "Write it down");
  await expect(page.getByRole("row", { name: /The buyer was called\.$/ }).first()).toBeVisible();

  await page.goto("/operations/cases");
  await page.getByLabel("Show").selectOption("Ended");
  await expect(page.getByText("The order was cancelled by the warehouse").first()).toBeVisible();
});
