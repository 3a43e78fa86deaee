import type { Page } from "@playwright/test";
import { anotherBrowser, axe, expect, heading, press, test } from "./journey";
import { aDevice, CHLOE, control, effects, IVAN } from "./stack";
import { Walker } from "./walk";

const PLAIN = "000";
const WITH_KEYLOCKER = "050";
const PAUSED = "300";
/** The last digit of a key chooses its controller. */
const WITH_TABLES = "0";

function group(page: Page, name: string) {
  return page.getByRole("group", { name, exact: true });
}

function card(page: Page, name: string) {
  return page.getByRole("region", { name, exact: true });
}

test("a paused device can only be replaced, and the new one's answer verifies it @phone", {
  tag: "@whole",
}, async ({ page }) => {
  const old = aDevice(PAUSED).key;
  const fresh = aDevice();
  const walker = await Walker.signIn(page, IVAN);
  await page.goto(`/activation?device=${old}`);
  await press(page, "Continue");
  await expect(page.getByRole("radio")).toHaveCount(1);
  await expect(card(page, "Not possible now")).toContainText("it can only be replaced");
  await axe(page);
  await page.getByRole("radio", { name: /^Replace a device/ }).check();
  await press(page, "Start");
  await expect(heading(page, "Replace device")).toBeVisible();
  const serial = page.getByLabel("Serial number of the new device");
  await serial.fill(old);
  await press(page, "Replace the device");
  await expect(page.getByText("This is the device that is to be replaced")).toBeVisible();
  await axe(page);
  await serial.fill(fresh.key.toLowerCase());
  await serial.press("Enter");
  await expect(heading(page, "Power on the device")).toBeVisible();
  expect(await effects(old)).toMatchObject({ swap: 1 });
  const id = new URL(page.url()).searchParams.get("id") ?? "";
  await walker.walk(id, "verify-connection");
  await press(page, "Ask the device");
  await expect(heading(page, "Check the firmware")).toBeVisible();
  await page.goto(`/activation/device?id=${id}&step=replace-device`);
  await expect(page.getByText("Verified", { exact: true }).last()).toBeVisible();
  await expect(page.getByText(old).last()).toBeVisible();
  await axe(page);
});

test("options of a KeyLocker whose special rows are refused once are written at last", {
  tag: "@whole",
}, async ({ page }) => {
  const { key } = aDevice(WITH_KEYLOCKER);
  await control({ device_key: key, special_refusals: 1 });
  const walker = await Walker.signIn(page, IVAN);
  await walker.open(key, "keylocker-option-tables");
  await expect(page.getByLabel("KeyLocker status")).toBeVisible();
  await expect(page.getByLabel("Confirmation chirp")).toHaveCount(0);
  await page.getByRole("textbox", { name: "Roof movement time" }).fill("100");
  await expect(page.getByText("Must be at most 99")).toBeVisible();
  await axe(page);
  await page.getByRole("textbox", { name: "Roof movement time" }).fill("20");
  await press(page, "Review 1 change");
  await expect(page.getByRole("row", { name: "Roof, Roof movement time 15 s 20 s" })).toBeVisible();
  await axe(page);
  await press(page, "Write to the device");
  await expect(heading(page, "KeyLocker pin codes")).toBeVisible();
  expect(await effects(key)).toMatchObject({ "option-tables-update": 1 });
});

test("special rows that are refused for ever stay to be changed, and the flow goes on", {
  tag: "@whole",
}, async ({ page }) => {
  const { key } = aDevice(PLAIN, "FT-X1", WITH_TABLES);
  await control({ device_key: key, special_refusals: 99 });
  const walker = await Walker.signIn(page, IVAN);
  const id = await walker.open(key, "controller-option-tables");
  await page.getByRole("textbox", { name: "Comfort close time" }).fill("9");
  await press(page, "Review 1 change");
  await press(page, "Write to the device");
  await expect(page.getByRole("alert")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Comfort close time" })).toHaveValue("9");
  expect((await walker.look(id)).view?.facts.requeries).toBe(2);
  await axe(page);
  await page.reload();
  await expect(page.getByRole("textbox", { name: "Comfort close time" })).toHaveValue("9");
  await press(page, /^Undo the change of Doors, Comfort close time/);
  await press(page, "Go on without changes");
  await expect(heading(page, "System settings")).toBeVisible();
  expect(await effects(key)).not.toHaveProperty("option-tables-update");
});

test("both pins are set, the refused one flips back, and the browser keeps neither @phone @whole", async ({
  page,
}) => {
  const { key } = aDevice(WITH_KEYLOCKER);
  await control({ device_key: key, refuse_secondary_pin: true });
  const walker = await Walker.signIn(page, IVAN);
  await walker.open(key, "keylocker-pin-codes");
  const master = card(page, "Master pin");
  await master.getByLabel("Pin", { exact: true }).fill("48151623");
  await master.getByLabel("Stays entered for").selectOption("1 h");
  await press(page, "Save the master pin");
  await expect(master.getByText("Saved", { exact: true })).toBeVisible();
  await expect(master.getByText("Set", { exact: true })).toBeVisible();
  const secondary = card(page, "Secondary pin");
  await secondary.getByLabel("Pin", { exact: true }).fill("98765432");
  await press(page, "Save the secondary pin");
  await expect(secondary.getByText(/^Refused/)).toBeVisible();
  await expect(secondary.getByText("Not set", { exact: true })).toBeVisible();
  await axe(page);
  await control({ device_key: key, refuse_secondary_pin: false });
  await secondary.getByLabel("Pin", { exact: true }).fill("98765432");
  await press(page, "Save the secondary pin");
  await expect(secondary.getByText("Saved", { exact: true })).toBeVisible();
  await press(page, "Delete the secondary pin");
  await page.getByRole("dialog").getByLabel("Master pin").fill("48151623");
  await axe(page);
  await press(page, "Delete");
  await expect(secondary.getByText("Deleted", { exact: true })).toBeVisible();
  const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
  expect(kept).not.toMatch(/48151623|98765432/);
  await press(page, "Go on");
  await expect(heading(page, "System settings")).toBeVisible();
});

test("the lines of an X1MAX are saved once, and a refusal can be mended", {
  tag: "@whole",
}, async ({ page }) => {
  const { key } = aDevice(PLAIN, "FT-X1MAX");
  await control({ device_key: key, refuse_hardwire: true });
  const walker = await Walker.signIn(page, IVAN);
  await walker.open(key, "hardwire-x1max");
  await page.getByLabel("Output", { exact: true }).selectOption("Starter Kill");
  await page.getByLabel("Input", { exact: true }).selectOption("High/Low");
  await axe(page);
  await press(page, "Save the lines");
  await expect(page.getByRole("alert")).toBeVisible();
  await expect(page.getByLabel("Output", { exact: true })).toHaveValue("Starter Kill");
  await control({ device_key: key, refuse_hardwire: false });
  await press(page, "Save the lines");
  await expect(heading(page, "Test the device")).toBeVisible();
  expect(await effects(key)).toMatchObject({ "hardwired-mode": 1 });
});

test("a Verizon SIM is activated without a plan, with a reason @phone", { tag: "@whole" }, async ({
  page,
}) => {
  const { key } = aDevice();
  const walker = await Walker.signIn(page, IVAN);
  await page.goto(`/activation?device=${key}`);
  await press(page, "Continue");
  await page.getByRole("radio", { name: /^Verizon SIM/ }).check();
  await press(page, "Start");
  await expect(heading(page, "Power on the device")).toBeVisible();
  const id = new URL(page.url()).searchParams.get("id") ?? "";
  await walker.walk(id, "purchase-plan");
  await expect(heading(page, "Choose a plan")).toBeVisible();
  await axe(page);
  await press(page, "Go on without");
  await page.getByRole("dialog").getByLabel("Reason").fill("The owner buys it");
  await axe(page);
  await press(page, "Skip");
  await expect(heading(page, "Complete the activation")).toBeVisible();
  await press(page, "Complete the activation");
  await expect(heading(page, "Activation complete")).toBeVisible();
});

test("the advanced flow shows every option, and the KeyLocker's inputs and outputs", {
  tag: "@whole",
}, async ({ page }) => {
  const { key } = aDevice(WITH_KEYLOCKER, "FT-X1", WITH_TABLES);
  const walker = await Walker.signIn(page, IVAN);
  await page.goto(`/activation?device=${key}`);
  await press(page, "Continue");
  await page.getByRole("radio", { name: /^New device/ }).check();
  await page.getByLabel("Advanced flow").check();
  await press(page, "Start");
  await expect(heading(page, "Power on the device")).toBeVisible();
  const id = new URL(page.url()).searchParams.get("id") ?? "";
  await walker.walk(id, "controller-option-tables");
  await expect(page.getByLabel("Crank attempts")).toBeVisible();
  await walker.walk(id, "keylocker-poc-pic");
  await expect(heading(page, "KeyLocker inputs and outputs")).toBeVisible();
  await card(page, "POC 1").getByLabel("Output function").selectOption("Trunk");
  await axe(page);
  await press(page, "Review 1 change");
  await press(page, "Write to the device");
  await expect(heading(page, "KeyLocker pin codes")).toBeVisible();
  await page.goto(`/activation?device=${aDevice().key}`);
  await press(page, "Continue");
  await expect(page.getByLabel("Advanced flow")).toBeChecked();
});

test("a DR device is configured by commands that show how they went", { tag: "@whole" }, async ({
  page,
}) => {
  const { key } = aDevice(PLAIN, "DR5400");
  const walker = await Walker.signIn(page, IVAN);
  await walker.open(key, "device-configuration");
  await press(page, "Direction change");
  await expect(page.getByText("Confirmed", { exact: true })).toBeVisible();
  await control({ device_key: key, silent_commands: 1 });
  await press(page, "Towing");
  await expect(page.getByText("Sent", { exact: true })).toBeVisible();
  await axe(page);
  expect(await effects(key)).toMatchObject({ "command:direction_change": 1, "command:towing": 1 });
});

test("a setting is written alone, and both browsers show the device's word @phone", {
  tag: "@whole",
}, async ({ page, browser }) => {
  const { key } = aDevice();
  const walker = await Walker.signIn(page, IVAN);
  await walker.open(key, "system-settings");
  const second = await anotherBrowser(browser, page);
  await Walker.signIn(second, CHLOE);
  await second.goto(page.url());
  const there = group(second, "Siren").getByRole("radio", { name: "On", exact: true });
  const here = group(page, "Siren").getByRole("radio", { name: "On", exact: true });
  await expect(there).toBeVisible();
  const was = await there.isChecked();
  await group(page, "Siren")
    .getByText(was ? "Off" : "On", { exact: true })
    .click();
  await expect(there).toBeChecked({ checked: !was });
  await expect(here).toBeChecked({ checked: !was });
  await control({ device_key: key, refuse_features: true });
  await group(page, "Siren")
    .getByText(was ? "On" : "Off", { exact: true })
    .click();
  await expect(page.getByRole("alert")).toBeVisible();
  await expect(here).toBeChecked({ checked: !was });
  await axe(page);
  await second.context().close();
});
