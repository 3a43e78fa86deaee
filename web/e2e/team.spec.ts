import { anotherBrowser, axe, expect, heading, signIn, test } from "./journey";
import { ADA, aNewcomer, message, OLIVIA } from "./people";
import { aDevice } from "./stack";
import { Walker } from "./walk";

test("an owner follows the team at work, reminds, and takes over what is stuck @phone", async ({
  page,
  browser,
}) => {
  const { key } = aDevice();
  const newcomer = await aNewcomer(page);
  const theirs = await anotherBrowser(browser, page);
  const walker = await Walker.signIn(theirs, newcomer);
  const id = await walker.open(key, "set-vehicle-details");
  const { view } = await walker.look(id);
  const owner = (view as unknown as { owner_id: string }).owner_id;

  await signIn(page, OLIVIA);
  await page.goto("/my-business");
  await page.getByRole("link", { name: "See the team at work" }).click();
  await expect(heading(page, "Team at work")).toBeVisible();
  await page.getByLabel("Person").selectOption(owner);
  await expect(page).toHaveURL(new RegExp(`owner=${owner}`));
  const row = page.getByRole("row", { name: new RegExp(key) });
  await expect(row).toContainText("Vehicle details");
  await expect(row).toContainText("a person");
  await axe(page);

  await walker.walk(id, "verify-connection");
  await expect(row, "the board follows the work").toContainText("Verify the connection");

  await page.getByRole("button", { name: `Remind: ${key}` }).press("Enter");
  await expect(page.getByRole("button", { name: `Reminded: ${key}` })).toBeDisabled();
  expect(await message(newcomer.email, new RegExp(key))).toContain(`/activation/device?id=${id}`);

  await page.getByRole("button", { name: `Take over: ${key}` }).press("Enter");
  await expect(page.getByText("Nothing is waiting")).toBeVisible();
  await page.goto("/team?owner=olivia");
  await expect(page.getByRole("link", { name: `Open it: ${key}` })).toBeVisible();
  await expect(page.getByRole("button", { name: `Take over: ${key}` })).toHaveCount(0);
  await page.getByRole("link", { name: `Open it: ${key}` }).press("Enter");
  await expect(heading(page, "Verify the connection")).toBeVisible();
  await theirs.context().close();
});

test("an administrator sees where activations of all businesses wait and are lost @phone", async ({
  page,
}) => {
  await signIn(page, ADA);
  await page.goto("/operations");
  await page.getByRole("link", { name: "Where activations are stuck" }).click();
  await expect(heading(page, "Activations at work")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Steps of the last 90 days" })).toBeVisible();
  await expect(page.getByText(/^Open activations: /)).toBeVisible();
  await axe(page);
});
