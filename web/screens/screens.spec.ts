import { expect, test } from "@playwright/test";
import { heading, press } from "../e2e/journey";
import { ADA, OLIVIA } from "../e2e/people";
import { aDevice, control, IVAN } from "../e2e/stack";
import { Walker } from "../e2e/walk";
import { nameOf, screensOf } from "./addresses";
import { open, samples, signInAs, take } from "./opening";

const PEOPLE = { visitor: undefined, owner: OLIVIA, administrator: ADA };

/** Every screen once, in `.screens/<project>/`; several short stories, so that one fault costs few pictures. */
for (const who of ["visitor", "owner", "administrator"] as const) {
  test(`every screen of the ${who} @french @phone`, async ({ page }) => {
    test.setTimeout(600_000);
    const found = await samples(page, OLIVIA);
    await page.context().clearCookies();
    const person = PEOPLE[who];
    if (person) await signInAs(page, person);
    for (const path of screensOf(who)) {
      await open(page, path, found);
      await take(page, nameOf(path));
    }
  });
}

test("a page that is not there @phone", async ({ page }) => {
  await page.goto("/no-such-page");
  await take(page, "not-found");
});

test("activation: an update under way, a command confirmed, the end @phone", async ({ page }) => {
  const ivan = await Walker.signIn(page, IVAN);
  const { key } = aDevice("010");
  await ivan.open(key, "check-firmware");
  await control({ device_key: key, answer_seconds: 600 });
  await press(page, "Check and update");
  await expect(page.getByText("Downloading", { exact: true })).toBeVisible();
  await take(page, "system-settings-beside-an-update");
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
