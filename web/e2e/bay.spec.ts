/** One hand, a phone, gloves: what the installer has before them, and what they hand to the car's owner. */
import { axe, begin, expect, heading, press, signIn, test, toVerify } from "./journey";
import { aDevice, IVAN } from "./stack";

test("a task has its bar, its first line near the top and its next action at the thumb @phone-first @phone", async ({
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
