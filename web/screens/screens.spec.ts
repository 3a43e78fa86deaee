import { expect, type Page, test } from "@playwright/test";
import { begin, heading, press, signIn, toFirmware } from "../e2e/journey";
import { aDevice, IVAN } from "../e2e/stack";

/** Every screen once, in `.screens/<project>/`. */
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
  const { key } = aDevice("030");
  await signIn(page, IVAN);
  await take("dashboard");
  await page.getByRole("link", { name: "Activate a device", exact: true }).click();
  await take("activation");
  await begin(page, key);
  await take("power-on-device");
  await toFirmware(page);
  await take("check-firmware");
  await press(page, "Check and update");
  await expect(page.getByText("KeyLocker", { exact: true })).toBeVisible();
  await take("check-firmware-busy");
  await expect(heading(page, "Test the device")).toBeVisible({ timeout: 60_000 });
  await take("device-testing");
  await press(page, "Verify GPS");
  await expect(page.getByText("Confirmed", { exact: true })).toBeVisible();
  await take("device-testing-confirmed");
  await press(page, "Testing is done");
  await expect(heading(page, "Welcome the owner")).toBeVisible();
  await take("send-welcome");
  await page.getByLabel("Email of the vehicle's owner").fill("owner@example.com");
  await press(page, "Send the welcome mail");
  await expect(heading(page, "Complete the activation")).toBeVisible();
  await take("complete-activation");
  await press(page, "Complete the activation");
  await expect(heading(page, "Activation complete")).toBeVisible();
  await take("completed");
  await page.getByRole("button", { name: /^Hi, / }).click();
  await page.getByRole("menuitem", { name: "My Profile" }).click();
  await expect(heading(page, "My Profile")).toBeVisible();
  await take("profile");
});
