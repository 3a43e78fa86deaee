import { anotherBrowser, axe, expect, heading, press, signIn, test } from "./journey";
import { ADA, aNewcomer, INES, message, OLIVIA, owner } from "./people";
import { aDevice } from "./stack";
import { Walker } from "./walk";

/** Seeded, of another business: nobody else has work under way there. */
const BLAIR = owner("Blair", "Abbott");

test("an owner follows the team at work, reminds, and takes over what is stuck @phone", async ({
  page,
  browser,
}) => {
  const { key } = aDevice();
  const newcomer = await aNewcomer(page, BLAIR);
  const theirs = await anotherBrowser(browser, page);
  const walker = await Walker.signIn(theirs, newcomer);
  const id = await walker.open(key, "set-vehicle-details");
  const { view } = await walker.look(id);
  const installer = (view as unknown as { owner_id: string }).owner_id;

  await signIn(page, BLAIR);
  await page.goto("/my-business");
  await page.getByRole("link", { name: "See the team at work" }).click();
  await expect(heading(page, "Team at work")).toBeVisible();
  if (test.info().project.name === "phone") {
    await expect(page.getByLabel("Person"), "filters are behind one button").toBeHidden();
    await press(page, "Filters");
  }
  await page.getByLabel("Person").selectOption(installer);
  await expect(page).toHaveURL(new RegExp(`owner=${installer}`));
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
  await page.goto("/team");
  await expect(page.getByRole("link", { name: `Open it: ${key}` })).toBeVisible();
  await expect(page.getByRole("button", { name: `Take over: ${key}` })).toHaveCount(0);
  await page.getByRole("link", { name: `Open it: ${key}` }).press("Enter");
  await expect(heading(page, "Verify the connection")).toBeVisible();
  await theirs.context().close();
});

test("an administrator sees where activations of all businesses wait and are lost @phone @whole", async ({
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

test("the open work of somebody who leaves goes to a colleague in one go @whole", async ({
  page,
  browser,
}) => {
  const newcomer = await aNewcomer(page);
  const theirs = await anotherBrowser(browser, page);
  const walker = await Walker.signIn(theirs, newcomer);
  const ids = [];
  for (const { key } of [aDevice(), aDevice()]) ids.push(await walker.open(key, "power-on-device"));

  await signIn(page, OLIVIA);
  await page.goto("/my-business");
  const person = page
    .getByRole("region", { name: "Team" })
    .getByRole("listitem")
    .filter({ hasText: newcomer.email });
  await expect(person).toContainText("2 open activations");
  await person.getByRole("button", { name: /^Retire / }).press("Enter");
  await page
    .getByRole("dialog", { name: /^Retire / })
    .getByRole("button", { name: "Retire", exact: true })
    .click();
  await person
    .getByLabel(/^Who takes over the open work of/)
    .selectOption({ label: "Chloe Tremblay" });
  await person.getByRole("button", { name: /^Hand over all of it/ }).press("Enter");
  await expect(person).toContainText("no open activations");
  await axe(page);
  await theirs.context().close();

  const olivia = await Walker.signIn(page, OLIVIA);
  for (const id of ids) {
    const { view } = await olivia.look(id);
    expect((view as unknown as { owner_id: string }).owner_id).toBe("chloe");
  }
});

test("a rep hands what is stuck to somebody of the team @whole", async ({ page, browser }) => {
  const { key } = aDevice();
  const newcomer = await aNewcomer(page);
  const theirs = await anotherBrowser(browser, page);
  const walker = await Walker.signIn(theirs, newcomer);
  const id = await walker.open(key, "power-on-device");
  const { view } = await walker.look(id);
  const installer = (view as unknown as { owner_id: string }).owner_id;
  await theirs.context().close();

  await signIn(page, INES);
  await press(page, "Select Business");
  const modal = page.getByRole("dialog", { name: "Select Business" });
  await modal.getByLabel("Search by business name or code").fill("harbor car");
  await modal.getByRole("radio", { name: /Harbour Car Audio/ }).check();
  await modal.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByRole("complementary", { name: "Harbour Car Audio" })).toBeVisible();
  await page.goto(`/team?owner=${installer}`);
  await expect(page.getByRole("row", { name: new RegExp(key) })).toBeVisible();
  await expect(page.getByRole("button", { name: `Take over: ${key}` })).toHaveCount(0);
  await page.getByRole("button", { name: `Hand over: ${key}` }).press("Enter");
  await page.getByLabel("Who goes on?").selectOption({ label: "Chloe Tremblay" });
  await page.getByRole("button", { name: "Hand over", exact: true }).press("Enter");
  await expect(page.getByText("Nothing is waiting")).toBeVisible();
});

test("a message names the page that it is about, and its sender gets a copy @whole", async ({
  page,
}) => {
  const newcomer = await aNewcomer(page);
  await signIn(page, newcomer);
  await page.goto("/devices");
  await page.getByRole("button", { name: "All links" }).press("Enter");
  await page.getByRole("contentinfo").getByRole("link", { name: "Contact Us" }).click();
  await expect(page.getByLabel("About the page")).toHaveValue("/devices");
  await page.getByLabel("Message", { exact: true }).fill("Where is my device?");
  await page.getByLabel("Send me a copy").check();
  await axe(page);
  await page.getByRole("button", { name: "Send", exact: true }).press("Enter");
  await expect(page.getByText("Thank you. We answer by mail.")).toBeVisible();
  expect(await message(newcomer.email, /Where is my device/)).toMatch(
    /We have your message|Nous avons bien reçu votre message/,
  );
});
