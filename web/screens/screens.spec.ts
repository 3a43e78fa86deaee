import { expect, type Page, test } from "@playwright/test";
import { heading, signIn } from "../e2e/journey";
import { IVAN } from "../e2e/stack";

/** Every screen but those of an activation, once, in `.screens/<project>/`. */
test("every screen @phone", async ({ page }, { project }) => {
  test.setTimeout(180_000);
  const take = async (name: string, still: Page = page) => {
    await expect(still.getByRole("heading", { level: 1 })).toBeVisible();
    await still.screenshot({ path: `.screens/${project.name}/${name}.png`, fullPage: true });
  };
  await page.goto("/no-such-page");
  await take("not-found");
  await page.goto("/login");
  await take("login");
  await page.goto("/");
  await take("dashboard-guest");
  await signIn(page, IVAN);
  await take("dashboard");
  await page.getByRole("link", { name: "Activate a device", exact: true }).click();
  await take("activation");
  await page.getByRole("button", { name: /^Hi, / }).click();
  await page.getByRole("menuitem", { name: "My Profile" }).click();
  await expect(heading(page, "My Profile")).toBeVisible();
  await take("profile");
});
