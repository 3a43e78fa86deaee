import { axe, begin, expect, heading, press, signIn, test } from "./journey";
import { ADA, aNewcomer } from "./people";
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

  await page.getByLabel("Serial, order, person, …").fill(key);
  await page.getByLabel("Serial, order, person, …").press("Enter");
  await expect(page).toHaveURL(new RegExp(`subject=${key}`));
  const named = page.getByRole("list", { name: `What “${key}” names` });
  await expect(named.getByRole("link", { name: key })).toBeVisible();
  const temporal = page.getByRole("link", { name: /^Open act-.* in Temporal$/ });
  await expect(temporal).toHaveCount(1);
  await expect(temporal).toHaveAttribute(
    "href",
    /\/namespaces\/default\/workflows\/act-.*\/history$/,
  );
  const runs = page.getByRole("table", { name: "List of runs" });
  await runs.getByRole("link", { name: key, exact: true }).press("Enter");

  await expect(heading(page, `Activation ${key}`)).toBeVisible();
  await expect(page.getByText("waits for a person")).toBeVisible();
  const about = page.getByRole("list", { name: "What it is about" });
  await expect(about.getByRole("link", { name: "Ivan Petrov" })).toBeVisible();
  const moves = page.getByRole("table").getByRole("row");
  await expect.poll(() => moves.count()).toBeGreaterThan(1);
  // the id of a state, in any language
  await expect.poll(() => moves.nth(1).textContent()).toContain("checking");
  await axe(page);
  await page.getByRole("link", { name: `Open ${key} in the portal` }).click();
  await expect(page).toHaveURL(/\/activation\/device\?id=/);
});

test("an administrator looks an account up and locks it @phone @whole", async ({ page }) => {
  const person = await aNewcomer(page);
  await signIn(page, ADA);
  await page.goto("/operations");
  await page.getByRole("link", { name: "Look up or lock an account" }).click();
  await expect(heading(page, "Account")).toBeVisible();
  await page.getByLabel("Email or id of a person").fill(person.email);
  await press(page, "Look up");
  await expect(page.getByText("In use")).toBeVisible();
  await press(page, "Lock the account");
  const dialog = page.getByRole("dialog", { name: "Lock this account?" });
  await expect(dialog).toBeVisible();
  await axe(page);
  await dialog.getByRole("button", { name: "Lock the account" }).click();
  await expect(page.getByText("The account is locked.")).toBeVisible();
  await expect(page.getByText("Locked", { exact: true })).toBeVisible();
  await axe(page);
  const refused = await page.request.post("/v1/auth/sign-in", {
    data: { username: person.email, password: person.password },
  });
  expect(refused.status()).toBe(403);
  expect(((await refused.json()) as { code: string }).code).toBe("reset_required");
});

test("nobody else finds the operators' pages", { tag: "@whole" }, async ({ page }) => {
  await signIn(page, IVAN);
  for (const path of [
    "/operations",
    "/operations/account",
    "/operations/run?kind=activation&id=x",
  ]) {
    await page.goto(path);
    await expect(heading(page, "Page Not Found")).toBeVisible();
  }
});
