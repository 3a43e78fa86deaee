/** One hand, a phone, gloves: what the installer has before them, and what they hand to the car's owner. */
import type { Page } from "@playwright/test";
import {
  anotherBrowser,
  axe,
  begin,
  expect,
  heading,
  onPaper,
  press,
  signIn,
  test,
  toFirmware,
  toVerify,
} from "./journey";
import { aDevice, CHLOE, control, effects, IVAN } from "./stack";
import { Walker } from "./walk";

/** From the first step to the last, with one test and without a plan. */
async function toEnd(page: Page) {
  await toFirmware(page);
  await press(page, "Check and update");
  await expect(heading(page, "System settings")).toBeVisible({ timeout: 30_000 });
  await press(page, "The settings are right");
  await press(page, "Verify GPS");
  await expect(page.getByText("Confirmed", { exact: true })).toBeVisible();
  await press(page, "Testing is done");
  await press(page, "Go on without");
  await page.getByRole("dialog").getByLabel("Reason").fill("The owner buys it");
  await press(page, "Skip");
  await press(page, "Save the reward");
  await press(page, "Send the welcome mail");
  await press(page, "Complete the activation");
  await expect(heading(page, "Activation complete")).toBeVisible();
}

/** Whether a text that is cut where it has no room has its room. */
const isWhole = (text: Element) =>
  [text, text.parentElement].every((part) => !part || part.scrollWidth <= part.clientWidth);

/** Every control on the page that a gloved finger misses, with its height in px: on a phone none is lower than 48. */
async function tooLow(page: Page): Promise<string[]> {
  if ((page.viewportSize()?.width ?? 0) > 740) return [];
  const pressed = page.locator(
    "button, a.mantine-Button-root, input, select, textarea, [role=menuitem], [role=menuitemradio]",
  );
  return pressed.filter({ visible: true }).evaluateAll((all) =>
    all.flatMap((one) => {
      const ticked = one instanceof HTMLInputElement && /checkbox|radio/.test(one.type);
      const target = (ticked ? one.labels?.[0] : undefined) ?? one;
      const height = Math.round(target.getBoundingClientRect().height);
      const name = one.getAttribute("aria-label") ?? target.textContent;
      return height < 48 ? [`${one.tagName} ${name}: ${height}`] : [];
    }),
  );
}

test("what is pressed in the bay is as tall as a gloved finger @phone-first @phone @whole", async ({
  page,
}) => {
  const walker = await Walker.signIn(page, IVAN);
  await page.goto("/activation");
  await expect(heading(page, "Set Serial Number")).toBeVisible();
  expect(await tooLow(page), "the serial number").toEqual([]);
  await page.getByRole("textbox", { name: "Serial number" }).fill(aDevice().key);
  await press(page, "Continue");
  await expect(heading(page, "Activation Type")).toBeVisible();
  expect(await tooLow(page), "the type").toEqual([]);
  for (const step of [
    "power-on-device",
    "set-vehicle-details",
    "verify-connection",
    "check-firmware",
    "device-testing",
  ]) {
    await walker.open(aDevice().key, step);
    await expect(page.getByRole("button", { name: "More actions" })).toBeVisible();
    await expect(page.locator("[aria-busy=true], .mantine-Skeleton-root")).toHaveCount(0);
    expect(await tooLow(page), step).toEqual([]);
  }
  await walker.open(aDevice().key, "purchase-plan");
  await press(page, "Have it paid by a colleague");
  const handed = page.getByRole("dialog", { name: "Hand over to a colleague" });
  await expect(handed.getByRole("radio").first()).toBeVisible();
  expect(await tooLow(page), "to pay").toEqual([]);
  await page.keyboard.press("Escape");
  await press(page, "More actions");
  await expect(page.getByRole("menuitem", { name: "Start over" })).toBeVisible();
  expect(await tooLow(page), "the menu of the run").toEqual([]);
  for (const name of ["Start over", "Use another device", "Abandon"]) {
    await page.getByRole("menuitem", { name }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    expect(await tooLow(page), name).toEqual([]);
    await page.keyboard.press("Escape");
    await press(page, "More actions");
  }
  await page.keyboard.press("Escape");
  await press(page, "Hi, Ivan");
  await expect(page.getByRole("menuitemradio", { name: "Français" })).toBeVisible();
  expect(await tooLow(page), "the menu of the person").toEqual([]);
});

test("a task has its bar, its first line near the top and its next action at the thumb @phone-first @phone @whole", async ({
  page,
}) => {
  await page.goto("/activation");
  await expect(heading(page, "Set Serial Number")).toBeVisible();
  await expect(page.getByRole("contentinfo")).toHaveCount(0);
  await axe(page);
  await signIn(page, IVAN);
  const { key } = aDevice();
  await begin(page, key);
  await toVerify(page);
  const bar = page.getByRole("banner");
  await expect(bar).toContainText(key);
  await expect(bar).toContainText("2022 Toyota Camry");
  await expect(bar).toContainText(/Step 3 of \d+/);
  await expect(page.getByRole("search")).toHaveCount(0);
  await expect(page.getByRole("navigation")).toHaveCount(0);
  const top = await heading(page, "Verify the connection").boundingBox();
  expect(top?.y).toBeLessThan(120);
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  const next = await page.getByRole("button", { name: "Ask the device" }).boundingBox();
  if (!next) throw new Error("the next action is not drawn");
  expect(next.height).toBeGreaterThanOrEqual(48);
  if (width < 740) expect(next.y + next.height).toBeGreaterThan(height - 40);
  expect(next.y + next.height).toBeLessThanOrEqual(height);
  await axe(page);
  await press(page, /Step 3 of/);
  const steps = page.getByRole("dialog", { name: "All steps" });
  await expect(
    steps.getByRole("listitem").filter({ hasText: "Verify the connection" }),
  ).toHaveAttribute("aria-current", "step");
  await axe(page);
  await page.keyboard.press("Escape");
  await expect(bar.getByRole("button", { name: /Step 3 of/ })).toBeFocused();
  await bar.getByRole("button", { name: "Back" }).press("Enter");
  await expect(heading(page, "Vehicle details")).toBeVisible();
  await bar.getByRole("button", { name: "Menu" }).press("Enter");
  await expect(
    page.getByRole("dialog", { name: "Menu" }).getByRole("link", { name: "Wiring" }),
  ).toBeVisible();
});

test("the end of an activation is shown to the car's owner, who keeps it by a code until it is revoked @phone-first @phone", async ({
  page,
  browser,
}) => {
  await signIn(page, IVAN);
  const { key } = aDevice();
  await begin(page, key, { email: "casey.fields@example.com" });
  await toEnd(page);
  await page.getByRole("link", { name: "Show it to the car's owner" }).click();
  await expect(heading(page, "Your 2022 Toyota Camry is ready")).toBeVisible();
  await expect(page.getByText("Installed by Harbour Car Audio")).toBeVisible();
  await expect(page.getByText("casey.fields")).toHaveCount(0);
  await expect(page.getByText("$")).toHaveCount(0);
  await axe(page);
  await press(page, "Make a code");
  await expect(page.getByRole("img", { name: "Code of the link to this page" })).toBeVisible();
  await axe(page);
  await onPaper(page);
  const url = await page.getByRole("textbox", { name: "Link to this page" }).inputValue();
  const owner = await anotherBrowser(browser, page);
  await owner.goto(url);
  await expect(heading(owner, "Your 2022 Toyota Camry is ready")).toBeVisible();
  await expect(owner.getByText(key)).toBeVisible();
  await axe(owner);
  await onPaper(owner);
  await press(page, "Revoke the link");
  await expect(page.getByRole("button", { name: "Make a code" })).toBeVisible();
  await owner.reload();
  await expect(heading(owner, "This link is no longer valid")).toBeVisible();
  await axe(owner);
  await owner.context().close();
});

test("options are written while the firmware downloads and after it installs, and the tests wait @phone-first @phone @whole", async ({
  page,
  browser,
}) => {
  const { key } = aDevice("010", "FT-X1", "0");
  const walker = await Walker.signIn(page, IVAN);
  await walker.open(key, "check-firmware");
  await control({ device_key: key, answer_seconds: 600 });
  await axe(page);
  await press(page, "Check and update");
  await expect(heading(page, "Controller options")).toBeVisible();
  await expect(page.getByText("The firmware is updated beside this.")).toContainText(/power/);
  await expect(page.getByText("Downloading")).toBeVisible();
  await axe(page);

  await control({ device_key: key, updating_seconds: 600 });
  await page.getByRole("textbox", { name: "Comfort close time" }).fill("9");
  await press(page, "Review 1 change");
  await press(page, "Write to the device");
  const kept = "Kept. The device is installing its firmware";
  await expect(page.getByText(kept)).toBeVisible();
  await axe(page);
  const other = await anotherBrowser(browser, page);
  await signIn(other, CHLOE);
  await other.goto(page.url());
  await expect(other.getByText(kept)).toBeVisible();
  await other.getByRole("button", { name: "Change it" }).press("Enter");
  await expect(other.getByText(kept)).toHaveCount(0);
  await expect(heading(other, "Controller options")).toBeFocused();
  await axe(other);
  await other.getByRole("textbox", { name: "Comfort close time" }).fill("7");
  await press(other, "Review 1 change");
  await press(other, "Write to the device");
  const time = page.getByRole("textbox", { name: "Comfort close time" });
  await expect(time).toHaveValue("7");
  await expect(page.getByText(kept)).toBeVisible();
  await press(page, "Change it");
  await expect(page.getByText(kept)).toHaveCount(0);
  await expect(time).toBeEnabled();
  await expect(time).toHaveValue("7");
  await press(page, "Review 1 change");
  await press(page, "Write to the device");
  for (const one of [page, other]) await expect(one.getByText(kept)).toBeVisible();
  expect(await effects(key)).not.toHaveProperty("option-tables-update");
  await control({ device_key: key, updating_seconds: 0, offline_seconds: 0 });
  for (const one of [page, other]) await expect(heading(one, "System settings")).toBeVisible();
  expect(await effects(key)).toMatchObject({ "option-tables-update": 1 });

  await press(other, "The settings are right");
  await expect(heading(page, "Test the device")).toBeVisible();
  await expect(page.getByText("The tests wait for the firmware")).toBeVisible();
  await expect(page.getByRole("button", { name: "Testing is done" })).toBeDisabled();
  await axe(page);
  await press(page, "Cancel the update");
  await expect(page.getByText("The firmware was not updated. Go on without it")).toBeVisible();
  await axe(page);
  await press(page, "Go on without");
  const dialog = page.getByRole("dialog", { name: "Go on without it?" });
  await dialog.getByLabel("Reason").fill("The owner cannot wait");
  await axe(page);
  await dialog.getByRole("button", { name: "Go on", exact: true }).click();
  await expect(page.getByRole("button", { name: "Verify GPS" })).toBeEnabled();
  await expect(other.getByRole("button", { name: "Verify GPS" })).toBeEnabled();
  await axe(page);
  await other.context().close();
});

test("without a signal a form waits and is sent by itself with it; what no longer fits is shown @phone-first @phone", async ({
  page,
  context,
  browser,
}) => {
  await signIn(page, IVAN);
  const { key } = aDevice();
  await begin(page, key);
  await context.setOffline(true);
  await press(page, "Keep until there is a signal");
  const waits = page.getByText("Power on the device: waits for a signal, and is sent by itself.");
  await expect(waits).toBeVisible();
  await expect(page.getByRole("button", { name: "Kept" })).toBeDisabled();
  await axe(page);
  const bar = page.getByRole("banner");
  for (const text of [bar.getByText(key), bar.getByText(/^Step 1 of \d+$/)])
    expect(await text.evaluate(isWhole)).toBe(true);
  await press(page, "1 form waits to be sent.");
  const list = page.getByRole("dialog", { name: "1 form waits here" });
  await expect(list.getByRole("listitem")).toContainText(key);
  await axe(page);
  await page.keyboard.press("Escape");
  await context.setOffline(false);
  await expect(heading(page, "Vehicle details")).toBeVisible();
  await expect(waits).toHaveCount(0);

  await press(page, "Back");
  await expect(heading(page, "Power on the device")).toBeVisible();
  await context.setOffline(true);
  await press(page, "Keep until there is a signal");
  await expect(waits).toBeVisible();
  const other = await anotherBrowser(browser, page);
  await signIn(other, CHLOE);
  await other.goto(page.url());
  await press(other, "The device is on");
  await expect(heading(other, "Vehicle details")).toBeVisible();
  await context.setOffline(false);
  await expect(
    page.getByText(/Power on the device: what you entered .* no longer fits/),
  ).toBeVisible();
  await axe(page);
  await press(page, "Dismiss");
  await expect(page.getByText(/no longer fits/)).toHaveCount(0);
  await other.context().close();
});
