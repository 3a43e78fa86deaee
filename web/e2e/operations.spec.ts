import { axe, begin, expect, heading, signIn, test } from "./journey";
import { ADA } from "./people";
import { aDevice, IVAN } from "./stack";

test("an operator finds a run, sees all that happened to it, and where it stands @phone", async ({
  page,
  browser,
}) => {
  test.setTimeout(180_000);
  const { key } = aDevice("000");
  const installer = await browser.newPage();
  await signIn(installer, IVAN);
  await begin(installer, key);
  await installer.close();

  await signIn(page, ADA);
  await page.getByRole("button", { name: /^Hi, / }).click();
  await page.getByRole("menuitem", { name: "Operations" }).click();
  await expect(heading(page, "Operations")).toBeVisible();
  // A round of the reconciler comes by itself.
  await expect(page.getByText(/last round/)).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText("Tasks waiting")).toBeVisible();
  await axe(page);

  await page.getByLabel("Serial number or id").fill(key);
  await page.getByLabel("Serial number or id").press("Enter");
  await expect(page).toHaveURL(new RegExp(`subject=${key}`));
  const temporal = page.getByRole("link", { name: /^Open act-.* in Temporal$/ });
  await expect(temporal).toHaveCount(1);
  await expect(temporal).toHaveAttribute(
    "href",
    /\/namespaces\/default\/workflows\/act-.*\/history$/,
  );
  await page.getByRole("link", { name: key, exact: true }).press("Enter");

  await expect(heading(page, `Activation ${key}`)).toBeVisible();
  await expect(page.getByText("waits for a person")).toBeVisible();
  const moves = page.getByRole("table").getByRole("row");
  await expect.poll(() => moves.count()).toBeGreaterThan(1);
  await expect(moves.nth(1)).toContainText("checking");
  await axe(page);
  await page.getByRole("link", { name: `Open ${key} in the portal` }).click();
  await expect(page).toHaveURL(/\/activation\/device\?id=/);
});

test("nobody else finds the operators' pages", { tag: "@whole" }, async ({ page }) => {
  await signIn(page, IVAN);
  for (const path of ["/operations", "/operations/run?kind=activation&id=x"]) {
    await page.goto(path);
    await expect(heading(page, "Page Not Found")).toBeVisible();
  }
});
