import type { Locator } from "@playwright/test";
import {
  anotherBrowser,
  axe,
  begin,
  expect,
  expectMenuFocus,
  heading,
  press,
  signIn,
  test,
  toVerify,
} from "./journey";
import { aNewcomer } from "./people";
import { aDevice, CHLOE, control, IVAN } from "./stack";

test("the dashboard's empty form @phone", { tag: "@whole" }, async ({ page }) => {
  await signIn(page, await aNewcomer(page));
  await expect(page.getByRole("heading", { name: "Nothing is waiting" })).toBeVisible();
  await axe(page);
});

test("a serial number that is malformed, unknown, locked or slow @phone", {
  tag: "@whole",
}, async ({ page }) => {
  await signIn(page, IVAN);
  await page.getByRole("link", { name: "Activate a device", exact: true }).click();
  const serial = page.getByRole("textbox", { name: "Serial number" });
  await press(page, "Continue");
  await expect(page.getByText("Required field")).toBeVisible();
  await serial.fill("7h2");
  await expect(serial).toHaveValue("7H2");
  await expect(page.getByText("Serial number invalid")).toBeVisible();
  await axe(page);
  await serial.fill(aDevice("900").key);
  await press(page, "Continue");
  await expect(page.getByRole("alert")).toContainText("We could not find this device");
  await axe(page);
  await serial.fill(aDevice("400").key);
  await press(page, "Continue");
  await expect(page.getByRole("alert")).toContainText("not currently in Service Mode");
  const slow = aDevice("000");
  await control({ device_key: slow.key, slow: true });
  await serial.fill(slow.key);
  await press(page, "Continue");
  await expect(page.getByRole("button", { name: "Continue" })).toBeDisabled();
  await expect(heading(page, "Activation Type")).toBeVisible();
  await axe(page);
});

test("losing the network shows a bar, and coming back goes on @phone @whole", {
  tag: "@phone-first",
}, async ({ page, browser }) => {
  await signIn(page, IVAN);
  await begin(page, aDevice().key);
  const second = await anotherBrowser(browser, page);
  await signIn(second, CHLOE);
  await second.goto(page.url());
  await expect(heading(second, "Power on the device")).toBeVisible();
  await page.context().setOffline(true);
  await expect(page.getByText(/You are offline/)).toBeVisible();
  await expect(page.getByRole("button", { name: "The device is on" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Keep until there is a signal" })).toBeEnabled();
  await axe(page);
  await press(second, "The device is on");
  await expect(heading(second, "Vehicle details")).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByText(/You are offline/)).toHaveCount(0);
  await expect(heading(page, "Vehicle details")).toBeVisible();
  await second.context().close();
});

test("keyboard only: from sign-in to a held-down command", { tag: "@whole" }, async ({ page }) => {
  const { key } = aDevice();
  await page.goto("/login");
  await page.getByLabel("Email").focus();
  await page.keyboard.type(IVAN.email);
  await page.keyboard.press("Tab");
  await page.keyboard.type("Turnkey-2026!");
  await page.keyboard.press("Enter");
  await expect(heading(page, "Hello, Ivan")).toBeVisible();
  await page.getByRole("link", { name: "Activate a device" }).press("Enter");
  await page.getByRole("textbox", { name: "Serial number" }).focus();
  await page.keyboard.type(key.toLowerCase());
  await page.keyboard.press("Enter");
  await expect(heading(page, "Activation Type")).toBeFocused();
  await page.getByRole("radio", { name: /New device/ }).press("Space");
  await page.getByRole("button", { name: "Start" }).press("Enter");
  await expect(heading(page, "Power on the device")).toBeFocused();
  await page.getByRole("button", { name: "The device is on" }).press("Enter");
  await expect(heading(page, "Vehicle details")).toBeFocused();
  await page.getByRole("button", { name: "More actions" }).press("Enter");
  await expect(page.getByRole("menuitem", { name: "Abandon" })).toBeVisible();
  await expectMenuFocus(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menuitem", { name: "Abandon" })).toHaveCount(0);
});

test("the screens in the dark theme", { tag: "@whole" }, async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await signIn(page, IVAN);
  await axe(page);
  await begin(page, aDevice().key);
  await axe(page);
  await toVerify(page);
  await axe(page);
});

test("drawings are dark in the dark, whichever way they are shown", { tag: "@whole" }, async ({
  page,
}) => {
  const product = page.getByRole("list", { name: "Products" }).locator("svg:has(use)").first();
  const ours = page.getByRole("img", { name: "A control module" });
  for (const [path, drawing] of [
    ["/search", product],
    ["/company-info", ours],
  ] as const) {
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    await page.goto(path);
    expect(await lightnessOf(drawing), `${path} in the light`).toBeGreaterThan(0.75);
    await page.emulateMedia({ colorScheme: "dark" });
    await expect.poll(() => lightnessOf(drawing), `${path} in the dark`).toBeLessThan(0.3);
  }
});

/** Of all that is drawn, from 0 to 1. */
async function lightnessOf(drawing: Locator): Promise<number> {
  await drawing.scrollIntoViewIfNeeded();
  const picture = (await drawing.screenshot()).toString("base64");
  return drawing.evaluate(async (_, encoded) => {
    const bytes = Uint8Array.from(atob(encoded), (sign) => sign.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    if (!context) throw new Error("nothing can be drawn");
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    const seen = data.filter((_one, place) => place % 4 !== 3);
    return seen.reduce((sum, one) => sum + one, 0) / seen.length / 255;
  }, picture);
}
