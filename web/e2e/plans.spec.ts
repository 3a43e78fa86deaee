import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { DECLINED, GOOD, saveCard, takenFor } from "./cards";
import { axe, expect, heading, press, signIn, test } from "./journey";
import { owner } from "./people";
import { aDevice, control } from "./stack";
import { Walker } from "./walk";

/** Seeded owners, each of another business: cards and plans in the cart are theirs alone. */
const BUYERS = { desktop: owner("Kerry", "Kowalski"), phone: owner("Logan", "Lavoie") };
const MORGAN = owner("Morgan", "Mackenzie");
const CASEY = owner("Casey", "Bouchard");
/** Pays past the cart, so that both widths may do it at once. */
const OTIS = owner("Otis", "Grant");

const lines = (page: Page) => page.getByRole("list", { name: "Devices and plans" });
const lineOf = (page: Page, key: string) =>
  lines(page).getByRole("listitem").filter({ hasText: key });
const purchaseIn = (page: Page) => new URL(page.url()).searchParams.get("uuid") ?? "";

/** What is chosen stands in the address, and so is shown a moment after the click. */
async function pick(page: Page, name: RegExp) {
  const wanted = page.getByRole("radio", { name });
  await wanted.click();
  await expect(wanted).toBeChecked();
}

/** From the choice of devices to the price. */
async function choose(page: Page, keys: string[], plan: RegExp, term: RegExp) {
  await page.goto("/subscriptions/plans");
  await expect(heading(page, "For which devices?")).toBeVisible();
  await page.getByRole("textbox", { name: "Serial number" }).fill(keys.join(" "));
  await press(page, "Add the device");
  await press(page, "Choose the plan");
  await expect(heading(page, "Which plan?")).toBeVisible();
  await pick(page, plan);
  await press(page, "Choose the term");
  await expect(heading(page, "For how long?")).toBeVisible();
  await pick(page, term);
}

async function pay(page: Page) {
  await page.getByRole("button", { name: /^Pay \$/ }).click();
}

test("plans for three devices: one that fails is tried again alone, and paid once @phone", async ({
  page,
}) => {
  const buyer = BUYERS[test.info().project.name === "phone" ? "phone" : "desktop"];
  const keys = [aDevice().key, aDevice().key, aDevice("000", "FT-X2").key];
  const [, failing = ""] = keys;
  await control({ device_key: failing, plan_refusals: 1 });
  await saveCard(page, buyer, GOOD);
  await signIn(page, buyer);
  await page.goto("/subscriptions");
  await expect(page.getByText("a year").first()).toBeVisible();
  await page.getByText("Compare the plans").press("Enter");
  await expect(page.getByRole("region", { name: "Plans compared" })).toContainText("6 years");
  await axe(page);
  await choose(page, keys, /^Premium .*Basic Plan \+ GPS Tracking/, /^1 year/);
  await axe(page);
  await press(page, "Add to cart");
  await expect(page.getByRole("link", { name: "Cart, 3" })).toBeVisible();
  await axe(page);
  await page.getByRole("link", { name: "Purchase the plans" }).click();
  await expect(heading(page, "Purchase Service")).toBeVisible();
  await expect(lines(page).getByRole("listitem")).toHaveCount(3);
  await expect(page.getByRole("radio", { name: /4242/ })).toBeChecked();
  await axe(page);
  await pay(page);
  await expect(lineOf(page, failing)).toContainText("The device network refused the plan.");
  await expect(lines(page).getByText("Active", { exact: true })).toHaveCount(2);
  await axe(page);
  const purchase = purchaseIn(page);
  const paid = await takenFor(purchase);
  await press(page, `Try again: ${failing}`);
  await expect(heading(page, "Order Complete")).toBeVisible();
  await expect(lines(page).getByText("Active", { exact: true })).toHaveCount(3);
  expect(paid).toBeGreaterThan(0);
  expect(await takenFor(purchase)).toBe(paid);
  await axe(page);
  await page.goto("/cart");
  await expect(page.getByText("Your cart is empty.")).toBeVisible();
});

test("a declined card is changed for another one within the purchase", { tag: "@whole" }, async ({
  page,
}) => {
  await saveCard(page, MORGAN, DECLINED);
  await saveCard(page, MORGAN, GOOD);
  await signIn(page, MORGAN);
  await choose(page, [aDevice().key], /^Basic/, /^Month to month/);
  await press(page, "Go to checkout");
  await expect(page.getByRole("radio", { name: /0010/ })).toBeChecked();
  await pay(page);
  await expect(page.getByRole("alert")).toContainText("This transaction has been declined.");
  await axe(page);
  const purchase = purchaseIn(page);
  expect(await takenFor(purchase)).toBe(0);
  await page.getByRole("radio", { name: /4242/ }).check();
  await pay(page);
  await expect(heading(page, "Order Complete")).toBeVisible();
  expect(purchaseIn(page)).toBe(purchase);
});

test("a plan is upgraded for what the rest of it leaves to pay; the receipt is kept and printed", {
  tag: "@whole",
}, async ({ page }) => {
  const { key } = aDevice();
  await saveCard(page, CASEY, GOOD);
  await signIn(page, CASEY);
  const walker = await Walker.signIn(page, CASEY);
  const item = { device_key: key, plan_id: "basic_prepaid-1_year" };
  await walker.call("/v1/payments", { line_items: [item] });
  await page.goto(`/subscriptions?q=${key}`);
  await page.getByRole("link", { name: `Upgrade: ${key}` }).click();
  await expect(heading(page, "Which plan?")).toBeVisible();
  await expect(page.getByRole("radio", { name: /^Basic .*Present plan/ })).toBeVisible();
  await pick(page, /^Ultimate/);
  await press(page, "Choose the term");
  await pick(page, /^1 year/);
  await press(page, "Go to checkout");
  await expect(lineOf(page, key)).toContainText("left of the present plan");
  await pay(page);
  await expect(heading(page, "Order Complete")).toBeVisible();
  await page.getByRole("link", { name: "Show the receipt" }).click();
  await expect(heading(page, "Receipt")).toBeVisible();
  await expect(page.getByRole("table", { name: "Devices and plans" })).toContainText(key);
  await axe(page);
  const saved = page.waitForEvent("download");
  await press(page, "Download as PDF");
  const pdf = await readFile(await (await saved).path());
  expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("button", { name: "Print" })).toBeHidden();
  await expect(page.getByRole("banner")).toBeHidden();
  await page.emulateMedia({ media: "screen" });
  await page.getByRole("link", { name: "All receipts" }).click();
  await expect(page.getByRole("table", { name: "Receipts" }).getByRole("rowheader")).toHaveCount(2);
  await axe(page);
});

test("several plans are renewed to one end date, by the keyboard @phone @whole", async ({
  page,
}) => {
  const keys = [aDevice().key, aDevice().key];
  await saveCard(page, OTIS, GOOD);
  await signIn(page, OTIS);
  const walker = await Walker.signIn(page, OTIS);
  const terms = ["basic_prepaid-2_year", "basic_prepaid-month_to_month"];
  for (const [place, device_key] of keys.entries())
    await walker.call("/v1/payments", { line_items: [{ device_key, plan_id: terms[place] }] });
  await page.goto("/subscriptions");
  for (const key of keys) await page.getByRole("checkbox", { name: key }).press("Space");
  await expect(page.getByText("2 devices chosen")).toBeVisible();
  await page.getByRole("button", { name: "Renew to one end date" }).press("Enter");
  await expect(page.getByText("These plans end too far apart")).toBeVisible();
  await axe(page);
  const dialog = page.getByRole("dialog", { name: "Renew to one end date" });
  await dialog.getByRole("radio", { name: /^3 years/ }).press("Space");
  await expect(dialog.getByLabel("All end on")).toHaveValue(/^\d{4}-\d\d-\d\d$/);
  const day = await dialog.getByLabel("All end on").inputValue();
  await dialog.getByRole("button", { name: "See the price" }).press("Enter");
  await expect(lines(page).getByRole("listitem")).toHaveCount(2);
  await axe(page);
  await page.getByRole("button", { name: /^Pay \$/ }).press("Enter");
  await expect(heading(page, "Order Complete")).toBeVisible();
  await page.goto("/subscriptions");
  const words = new Date(`${day}T12:00:00Z`).toLocaleDateString("en", { dateStyle: "medium" });
  for (const key of keys)
    await expect(page.getByRole("row").filter({ hasText: key })).toContainText(words);
});
