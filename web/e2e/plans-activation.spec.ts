import { GOOD, saveCard } from "./cards";
import { anotherBrowser, axe, expect, heading, press, signIn, test } from "./journey";
import { aDevice } from "./stack";
import { Walker } from "./walk";

/** The seeded owner of a business of their own. */
const BLAIR = { first: "Blair", email: "blair.abbott@turnkey.example" };

test("a plan is bought inside an activation while the browser is closed", {
  tag: "@whole",
}, async ({ page, browser }) => {
  const { key } = aDevice();
  await saveCard(page, BLAIR, GOOD);
  await signIn(page, BLAIR);
  const walker = await Walker.signIn(page, BLAIR);
  const id = await walker.open(key, "purchase-plan");
  await expect(heading(page, "Choose a plan")).toBeVisible();
  await page.getByRole("radio", { name: /^Premium .*Basic Plan/ }).check();
  await page.getByRole("radio", { name: /^1 year/ }).check();
  await press(page, "Work out the price");
  await expect(page.getByRole("radio", { name: /4242/ })).toBeChecked();
  await axe(page);
  const elsewhere = await anotherBrowser(browser, page);
  const taken = page.waitForResponse(/\/v1\/activations\/[^/]+\/purchase$/);
  await page.getByRole("button", { name: /^Pay \$/ }).click();
  expect((await taken).ok()).toBe(true);
  await page.close();
  await signIn(elsewhere, BLAIR);
  await elsewhere.goto(`/activation/device?id=${id}`);
  await expect(heading(elsewhere, "Rewards")).toBeVisible({ timeout: 60_000 });
  await elsewhere.goto(`/subscriptions?q=${key}`);
  await expect(elsewhere.getByText("Premium Prepaid")).toBeVisible();
});
