import type { Page } from "@playwright/test";
import { inFrench } from "../screens/titles";
import { anotherBrowser, axe, expect, heading, press, signIn, test } from "./journey";
import { OLIVIA } from "./people";
import { aDevice, CHLOE, control, effects, IVAN, MARCUS, simDigits } from "./stack";

const HARBOUR = "harbour";

/** A device of the account of Harbour Car Audio. */
async function theirs(traits: string, more: Record<string, unknown> = {}): Promise<string> {
  const { key } = aDevice(traits);
  await control({ device_key: key, owner_dealer_id: HARBOUR, ...more });
  return key;
}

async function openDevice(page: Page, key: string) {
  await page.goto(`/devices/${key}/firmware`);
  await expect(heading(page, "Firmware update")).toBeVisible();
  await expect(page.getByRole("banner")).toContainText(key);
}

const past = (page: Page) =>
  page.getByRole("region", { name: "Past updates" }).getByRole("article").first();

test("the KeyLocker's update fails, then passes @phone", { tag: "@whole" }, async ({ page }) => {
  const key = await theirs("030", { answer_seconds: 4, r42_failures: 1, failing_part: "kl1" });
  await signIn(page, IVAN);
  await page.goto("/devices");
  await page.getByRole("textbox", { name: "Serial number" }).fill(key.toLowerCase());
  await axe(page);
  await press(page, "Find");
  await expect(heading(page, key)).toBeVisible();
  await expect(page.getByText("Your business has not activated this device.")).toBeVisible();
  await axe(page);
  await page.getByRole("link", { name: "Update the firmware" }).click();
  await expect(page.getByRole("banner")).toContainText("Step 1 of 4");
  await expect(page.getByRole("contentinfo")).toHaveCount(0);
  await press(page, "Check for an update");
  const waiting = page.getByRole("list", { name: "Waiting updates" });
  await expect(waiting.getByRole("listitem").nth(0)).toContainText("Main device");
  await expect(waiting.getByRole("listitem").nth(1)).toContainText("KeyLocker");
  await axe(page);
  await press(page, "Update now");
  await expect(page.getByRole("banner")).toContainText("Step 2 of 4");
  const keylocker = page.getByRole("list", { name: "Progress of KeyLocker" });
  await expect(keylocker.getByRole("listitem").first()).toContainText("(in progress)", {
    timeout: 40_000,
  });
  await expect(page.getByText("flash verification failed")).toBeVisible({ timeout: 40_000 });
  await expect(page.getByText("Waiting to try again")).toBeVisible();
  await axe(page);
  await press(page, "Try now");
  await expect(past(page)).toContainText("Done", { timeout: 40_000 });
  await past(page).getByText("What happened").click();
  await expect(past(page).getByRole("row").filter({ hasText: "Ivan Petrov" })).toHaveCount(1);
  await axe(page);
  await press(page, "Check for an update");
  await expect(page.getByText("The firmware is up to date")).toBeVisible();
  await press(page, "Back");
  await expect(heading(page, key)).toBeVisible();
  await expect(page.getByText("Firmware updated").first()).toBeVisible();
  expect((await effects(key))["command:download_firmware"]).toBe(2);
});

test("a weak device is refused, and its owner overrules that", { tag: "@whole" }, async ({
  page,
  browser,
}) => {
  const key = await theirs("080");
  await signIn(page, IVAN);
  await openDevice(page, key);
  await press(page, "Check for an update");
  await expect(page.getByText(/The backup battery has 10.4 V/)).toBeVisible();
  await expect(page.getByText(/The signal is -113 dBm/)).toBeVisible();
  await expect(page.getByText("An owner of your business can let it be updated")).toBeVisible();
  await expect(page.getByRole("button", { name: "Update it all the same" })).toHaveCount(0);
  await axe(page);

  const owner = await anotherBrowser(browser, page);
  await signIn(owner, OLIVIA);
  await openDevice(owner, key);
  await press(owner, "Check for an update");
  await press(owner, "Update it all the same");
  await expect(owner.getByText("Required field")).toBeVisible();
  await axe(owner);
  await owner.getByLabel("Reason to update it all the same").fill("On a charger in the bay");
  await press(owner, "Update it all the same");
  await expect(past(owner)).toContainText("Done", { timeout: 40_000 });
  await expect(past(owner)).toContainText("On a charger in the bay");
  await owner.context().close();
});

test("a battery that falls during the download keeps the update back", { tag: "@whole" }, async ({
  page,
  browser,
}) => {
  const key = await theirs("010", { answer_seconds: 6 });
  await signIn(page, IVAN);
  await openDevice(page, key);
  await press(page, "Check for an update");
  await press(page, "Update now");
  await expect(page.getByText("Downloading")).toBeVisible();
  await control({ device_key: key, battery_volts: 10.4, answer_seconds: 0 });
  await expect(page.getByText("Too weak to update")).toBeVisible();
  await axe(page);
  const owner = await anotherBrowser(browser, page);
  await signIn(owner, OLIVIA);
  await openDevice(owner, key);
  await owner.getByLabel("Reason to update it all the same").fill("On a charger in the bay");
  await press(owner, "Update it all the same");
  await expect(past(page)).toContainText("Done", { timeout: 40_000 });
  await owner.context().close();
});

test("an offline device is waited for, and the wait can be cancelled", { tag: "@whole" }, async ({
  page,
}) => {
  const key = await theirs("010", { offline_seconds: 600 });
  await signIn(page, IVAN);
  await openDevice(page, key);
  await press(page, "Check for an update");
  await press(page, "Update now");
  await expect(page.getByText("Waiting for the device")).toBeVisible();
  await axe(page);
  await press(page, "Cancel the update");
  await expect(past(page)).toContainText("Cancelled");
  expect((await effects(key))["command:update_firmware"]).toBeUndefined();
});

test("two browsers see one update; deferred by one, called back by the other @phone", {
  tag: "@whole",
}, async ({ page, browser }) => {
  const key = await theirs("010", { silent_commands: 1 });
  await signIn(page, IVAN);
  await openDevice(page, key);
  await press(page, "Check for an update");
  await press(page, "Update now");
  await expect(page.getByText("Downloading")).toBeVisible();
  const colleague = await anotherBrowser(browser, page);
  await signIn(colleague, CHLOE);
  await openDevice(colleague, key);
  await expect(colleague.getByText("Downloading")).toBeVisible();
  await press(page, "Do it in 8 hours");
  await expect(colleague.getByText("Deferred")).toBeVisible();
  await axe(colleague);
  await control({ device_key: key, tells_progress: true, answer_seconds: 8 });
  await press(colleague, "Try now");
  await expect(page.getByRole("progressbar", { name: "Progress" })).toBeVisible();
  await axe(page);
  await expect(past(page)).toContainText("Done", { timeout: 40_000 });
  await expect(past(colleague)).toContainText("Done");
  await colleague.context().close();
});

test("a device of nobody's is opened with its digits, another dealer's not at all", {
  tag: "@whole",
}, async ({ page }) => {
  const { key } = aDevice("020");
  await signIn(page, MARCUS);
  await page.goto(`/devices/${key}`);
  await page.getByLabel(/Last 5 digits/).fill(await simDigits(key));
  await axe(page);
  await press(page, "Open the device");
  await expect(page.getByRole("heading", { name: "Firmware" })).toBeVisible();
  await page.goto(`/devices/${await theirs("010")}`);
  await expect(page.getByText(/We could not find this device/)).toBeVisible();
  await axe(page);
});

test("keyboard only: from the menu of pages to an update", async ({ page }) => {
  const isFrench = test.info().project.name === "french";
  const devices = isFrench ? inFrench("Devices") : "Devices";
  const key = await theirs("010");
  await signIn(page, IVAN);
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("combobox").fill(devices);
  await page.keyboard.press("Enter");
  await expect(heading(page, "Devices")).toBeFocused();
  await page.getByRole("textbox", { name: "Serial number" }).focus();
  await page.keyboard.type(key);
  await page.keyboard.press("Enter");
  await expect(heading(page, key)).toBeFocused();
  await page.getByRole("link", { name: "Update the firmware" }).press("Enter");
  await expect(heading(page, "Firmware update")).toBeFocused();
  await page.getByRole("button", { name: "Check for an update" }).press("Enter");
  await page.getByRole("button", { name: "Update now" }).press("Enter");
  await expect(past(page)).toContainText("Done", { timeout: 40_000 });
  await past(page).locator("summary").press("Enter");
  await expect(past(page).getByRole("table")).toBeVisible();
});
