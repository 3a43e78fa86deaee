import { expect, type Page, type TestInfo, test } from "@playwright/test";
import { heading, press } from "../e2e/journey";
import { aDevice, IVAN } from "../e2e/stack";
import { Walker } from "../e2e/walk";

const ADVANCED = { advanced: true };
const SERVICE = { type: "service-device" };
const REPLACE = { type: "replace-device" };

/** Step, three trait digits, product, last digit (see simulators/README.md), and how the activation is started. */
const STEPS = [
  ["replace-device", "300", "FT-X1", "9", REPLACE],
  ["power-on-device", "000", "FT-X1", "9", {}],
  ["set-vehicle-details", "000", "FT-X1", "9", {}],
  ["verify-connection", "000", "FT-X1", "9", {}],
  ["check-firmware", "030", "FT-X1", "9", {}],
  ["reset-keylocker-pairing", "250", "FT-X1", "9", SERVICE],
  ["controller-option-tables", "000", "FT-X1", "7", {}],
  ["keylocker-mode", "050", "FT-X1", "9", {}],
  ["keylocker-option-tables", "050", "FT-X1", "9", {}],
  ["keylocker-poc-pic", "050", "FT-X1", "9", ADVANCED],
  ["keylocker-pin-codes", "050", "FT-X1", "9", {}],
  ["system-settings", "000", "FT-X1", "9", {}],
  ["device-configuration", "000", "DR5400", "9", {}],
  ["hardwire-x1max", "000", "FT-X1MAX", "9", {}],
  ["device-testing", "000", "FT-X1", "9", {}],
  ["purchase-plan", "000", "FT-X1", "9", {}],
  ["device-rewards", "000", "FT-X1", "9", {}],
  ["send-welcome", "000", "FT-X1", "9", {}],
  ["complete-activation", "050", "FT-X1MAX", "9", {}],
] as const;

async function take(page: Page, { project }: TestInfo, name: string) {
  await page.screenshot({ path: `.screens/${project.name}/${name}.png`, fullPage: true });
}

for (const [step, traits, product, last, start] of STEPS) {
  test(`the step ${step} @phone`, async ({ page }, info) => {
    const walker = await Walker.signIn(page, IVAN);
    await walker.open(aDevice(traits, product, last).key, step, start);
    await expect(page.getByRole("button", { name: "Back", exact: true })).toBeVisible();
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    await take(page, info, step);
  });
}

for (const [name, traits] of [
  ["new", "000"],
  ["active", "200"],
  ["paused", "300"],
] as const) {
  test(`the types of a device that is ${name} @phone`, async ({ page }, info) => {
    await Walker.signIn(page, IVAN);
    await page.goto(`/activation?device=${aDevice(traits).key}`);
    await press(page, "Continue");
    await expect(heading(page, "Activation Type")).toBeVisible();
    await take(page, info, `activation-type-${name}`);
  });
}

test("options that are about to be written @phone", async ({ page }, info) => {
  const walker = await Walker.signIn(page, IVAN);
  await walker.open(aDevice("000", "FT-X1", "7").key, "controller-option-tables");
  await page.getByRole("textbox", { name: "Dome light delay" }).fill("500");
  await expect(page.getByText("Must be at most 99")).toBeVisible();
  await take(page, info, "options-invalid");
  await page.getByRole("textbox", { name: "Dome light delay" }).fill("20");
  await press(page, "Review 1 change");
  await expect(page.getByRole("dialog")).toBeVisible();
  await take(page, info, "options-dialog");
});

test("an activation that is complete @phone", async ({ page }, info) => {
  const walker = await Walker.signIn(page, IVAN);
  await walker.open(aDevice().key, "complete-activation");
  await press(page, "Complete the activation");
  await expect(heading(page, "Activation complete")).toBeVisible();
  await take(page, info, "completed");
});
