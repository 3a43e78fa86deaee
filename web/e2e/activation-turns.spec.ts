/** What may happen to an activation beside its steps. */
import { anotherBrowser, axe, begin, expect, heading, press, test } from "./journey";
import { aDevice, CHLOE, IVAN } from "./stack";
import { Walker } from "./walk";

/** See simulators/README.md. */
const VINS = {
  civic: "2HGFC2F55KA512345",
  away: "4T1B11HK4NA000503",
  incomplete: "4T1B11HK9NA000206",
};

test("an activation is handed over to a colleague and goes on in their list @phone", {
  tag: "@whole",
}, async ({ page, browser }) => {
  const { key } = aDevice();
  const ivan = await Walker.signIn(page, IVAN);
  await ivan.open(key, "verify-connection");
  await press(page, "More actions");
  await page.getByRole("menuitem", { name: "Hand over to a colleague" }).click();
  const dialog = page.getByRole("dialog", { name: "Hand over to a colleague" });
  await expect(dialog.getByRole("button", { name: "Hand over" })).toBeDisabled();
  await dialog.getByRole("radio", { name: /^Chloe/ }).check();
  await dialog.getByLabel(/What should they know/).fill("It is the red one");
  await axe(page);
  await dialog.getByRole("button", { name: "Hand over" }).click();
  await expect(page.getByText(/This activation belongs to Chloe/)).toBeVisible();

  const other = await anotherBrowser(browser, page);
  await Walker.signIn(other, CHLOE);
  await other.goto("/");
  await expect(other.getByRole("link", { name: "Mine", exact: true })).toHaveAttribute(
    "aria-current",
    "page",
  );
  await expect(other.getByRole("row", { name: new RegExp(key) })).toContainText(
    "It is the red one",
  );
  await other.getByRole("link", { name: new RegExp(key) }).click();
  await expect(heading(other, "Verify the connection")).toBeVisible();
  await expect(other.getByText(/handed it over here/)).toContainText("It is the red one");
  await expect(other.getByText(/This activation belongs to/)).toHaveCount(0);
  await other.context().close();
});

test("an abandoned activation goes on where it was left when it is started again", {
  tag: "@whole",
}, async ({ page }) => {
  const { key } = aDevice();
  const ivan = await Walker.signIn(page, IVAN);
  await ivan.open(key, "verify-connection");
  await press(page, "More actions");
  await page.getByRole("menuitem", { name: "Abandon" }).click();
  const dialog = page.getByRole("dialog", { name: "Abandon this activation?" });
  await dialog.getByLabel("Reason (optional)").fill("the customer left");
  await dialog.getByRole("button", { name: "Abandon" }).click();
  await expect(heading(page, "This activation was abandoned")).toBeVisible();
  await axe(page);
  await page.getByRole("link", { name: "Start again" }).click();
  await expect(page.getByRole("textbox", { name: "Serial number" })).toHaveValue(key);
  await press(page, "Continue");
  await page.getByRole("radio", { name: /New device/ }).check();
  await press(page, "Start");
  await expect(heading(page, "Verify the connection")).toBeVisible();
});

test("an activation starts over, and then goes on with another device", { tag: "@whole" }, async ({
  page,
}) => {
  const [first, second] = [aDevice(), aDevice()];
  const ivan = await Walker.signIn(page, IVAN);
  await ivan.open(first.key, "verify-connection");
  await press(page, "More actions");
  await page.getByRole("menuitem", { name: "Start over" }).click();
  const asked = page.getByRole("dialog", { name: "Start over?" });
  await asked.getByRole("button", { name: "Start over" }).click();
  await expect(heading(page, "Power on the device")).toBeVisible();

  await press(page, "The device is on");
  await expect(heading(page, "Vehicle details")).toBeVisible();
  await press(page, "More actions");
  await page.getByRole("menuitem", { name: "Use another device" }).click();
  const change = page.getByRole("dialog", { name: "Use another device?" });
  await change.getByRole("button", { name: "Change the device" }).click();
  await expect(change.getByText("Required field")).toBeVisible();
  await change.getByRole("textbox", { name: "Serial number" }).fill(second.key.toLowerCase());
  await axe(page);
  await change.getByRole("button", { name: "Change the device" }).click();
  await expect(heading(page, "Power on the device")).toBeVisible();
  await expect(page.getByRole("banner")).toContainText(second.key);
  await expect(page.getByLabel("Device", { exact: true })).toContainText(second.key);
  // The first device is free for somebody else.
  await page.goto("/");
  await begin(page, first.key);
});

test("a step is skipped with a reason, and never without one @phone", { tag: "@whole" }, async ({
  page,
}) => {
  const ivan = await Walker.signIn(page, IVAN);
  await ivan.open(aDevice("010").key, "check-firmware");
  await press(page, "Skip");
  const dialog = page.getByRole("dialog", { name: "Skip this step?" });
  await dialog.getByRole("button", { name: "Skip" }).click();
  await expect(dialog.getByText("Required field")).toBeVisible();
  await dialog.getByLabel("Reason").fill("no time for the update today");
  await axe(page);
  await dialog.getByRole("button", { name: "Skip" }).click();
  await expect(heading(page, "System settings")).toBeVisible();
});

test("a command that the device never answers times out, and is asked again", {
  tag: "@whole",
}, async ({ page }) => {
  const ivan = await Walker.signIn(page, IVAN);
  await ivan.open(aDevice("500").key, "verify-connection");
  await press(page, "Ask the device");
  await expect(page.getByText(/Waiting for the device, at most/)).toBeVisible();
  await expect(page.getByText("Timed out", { exact: true })).toBeVisible({ timeout: 45_000 });
  await axe(page);
  await press(page, "Ask again");
  await expect(heading(page, "Check the firmware")).toBeVisible();
});

test("a VIN fills the vehicle, fails in words, and gives way to a choice by hand @phone", {
  tag: "@whole",
}, async ({ page }) => {
  const ivan = await Walker.signIn(page, IVAN);
  await ivan.open(aDevice().key, "set-vehicle-details");
  const vin = page.getByRole("textbox", { name: "VIN" });
  const year = page.getByLabel("Year", { exact: true });
  await vin.fill(VINS.away);
  await vin.press("Enter");
  await expect(page.getByRole("alert")).toContainText("Vin searching is currently unavailable.");
  await axe(page);
  await vin.fill(VINS.incomplete);
  await press(page, "Find");
  await expect(page.getByRole("alert")).toContainText("Unable to find a vehicle using this vin.");
  await vin.fill(VINS.civic.toLowerCase());
  await press(page, "Find");
  await expect(page.getByText("Found: 2019 Honda Civic")).toBeVisible();
  await expect(year).toHaveValue("2019");
  await axe(page);
  await year.selectOption("2020");
  await expect(vin).toHaveValue("");
  await vin.fill(VINS.civic);
  await expect(year).toHaveValue("");
  await press(page, "Find");
  await expect(year).toHaveValue("2019");
  await press(page, "Save the vehicle");
  await expect(heading(page, "Verify the connection")).toBeVisible();
  const id = new URL(page.url()).searchParams.get("id") ?? "";
  const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
  expect(JSON.stringify([await ivan.look(id), kept])).not.toContain(VINS.civic);
});
