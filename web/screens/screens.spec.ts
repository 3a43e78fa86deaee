import { expect, type Page, test } from "@playwright/test";
import { heading, press, signIn } from "../e2e/journey";
import { ADA } from "../e2e/people";
import { aDevice, IVAN } from "../e2e/stack";
import { Walker } from "../e2e/walk";

/** Every screen once, in `.screens/<project>/`; several short stories, so that one fault costs few pictures. */
async function take(page: Page, name: string): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const path = `.screens/${test.info().project.name}/${name}.png`;
  await page.screenshot({ path, fullPage: true, animations: "disabled" });
}

const OPEN = {
  "dashboard-guest": "/",
  login: "/login",
  register: "/register",
  "forgot-password": "/forgot-password",
  "dealer-request": "/dealer-request",
  "contact-us": "/contact-us",
  shipping: "/shipping",
  activation: "/activation",
  "not-found": "/no-such-page",
};

test("pages of visitors @phone", async ({ page }) => {
  for (const [name, path] of Object.entries(OPEN)) {
    await page.goto(path);
    await take(page, name);
  }
});

const SIGNED_IN = { dashboard: "/", profile: "/profile", audit: "/audit" };

test("pages of people @phone", async ({ page }) => {
  await signIn(page, ADA);
  for (const [name, path] of Object.entries(SIGNED_IN)) {
    await page.goto(path);
    await take(page, name);
  }
});

test("activation: an update under way, a command confirmed, the end @phone", async ({ page }) => {
  const ivan = await Walker.signIn(page, IVAN);
  await ivan.open(aDevice("010").key, "check-firmware");
  await press(page, "Check and update");
  await expect(page.getByText("Main device", { exact: true })).toBeVisible();
  await take(page, "check-firmware-busy");
  const id = await ivan.open(aDevice().key, "device-testing");
  await expect(heading(page, "Test the device")).toBeVisible();
  await press(page, "Verify GPS");
  await expect(page.getByText("Confirmed", { exact: true })).toBeVisible();
  await take(page, "device-testing-confirmed");
  await ivan.walk(id, "send-welcome");
  await page.getByLabel("Email of the vehicle's owner").fill("owner@example.com");
  await press(page, "Send the welcome mail");
  await press(page, "Complete the activation");
  await expect(heading(page, "Activation complete")).toBeVisible();
  await take(page, "completed");
});
