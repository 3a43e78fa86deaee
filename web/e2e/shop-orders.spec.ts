import type { Page } from "@playwright/test";
import { anOrder } from "./buying";
import { axe, expect, heading, onPaper, press, signIn, test } from "./journey";
import { aNumber } from "./stack";

const owner = (first: string, last: string) => ({
  first,
  email: `${first}.${last}@turnkey.example`.toLowerCase(),
});
/** Seeded owners of businesses with orders. What is put into a cart is their own, and a new cart replaces their last. */
const GUS = owner("Gus", "Lindqvist");
const DANA = owner("Dana", "Campbell");
const READERS = { desktop: owner("Noel", "Nguyen"), phone: owner("Oakley", "Olsen") };

const table = (page: Page) => page.getByRole("table", { name: "Orders" });
const where = (page: Page) => page.getByRole("region", { name: "Where is my order?" });

test("a dealer finds an order, sees where it is, and orders it again @phone", async ({ page }) => {
  const project = test.info().project.name === "phone" ? "phone" : "desktop";
  await signIn(page, READERS[project]);
  await page.goto("/my-orders");
  await expect(heading(page, "My Orders")).toBeVisible();
  await expect(table(page).getByRole("link")).toHaveCount(10);
  await axe(page);
  const filters = page.getByRole("button", { name: /^Filters/ });
  if (project === "phone") await filters.press("Enter");
  await page.getByLabel("Per page").selectOption("30");
  await expect(page).toHaveURL(/rows=30/);
  const tabs = page.getByRole("navigation", { name: "Status" });
  await tabs.getByRole("link", { name: /^Invoiced \d/ }).click();
  await expect(page).toHaveURL(/status=invoiced/);
  await page.goto("/my-orders?status=invoiced&so=total-desc");
  const first = table(page).getByRole("link").first();
  const number = (await first.textContent()) ?? "";
  const word = page.getByLabel("PO, order number, SKU or person");
  await word.fill(number);
  await word.press("Enter");
  await expect(page).toHaveURL(new RegExp(`s=${number}`));
  await expect(page.getByText("1 order", { exact: true })).toBeVisible();
  await page.getByRole("checkbox", { name: `Choose ${number}` }).check();
  await expect(page.getByText("1 order chosen", { exact: true })).toBeVisible();
  const saved = page.waitForEvent("download");
  await press(page, "Download as CSV");
  expect((await saved).suggestedFilename()).toBe("orders.csv");
  await table(page).getByRole("row", { name: number }).click(); // anywhere in it
  await expect(heading(page, `Order ${number}`)).toBeVisible();
  await expect(where(page)).toContainText("This order is complete.");
  await expect(page.getByRole("list", { name: "Products of the order" })).toBeVisible();
  const reps = page.getByRole("region", { name: "Ask my rep" });
  await expect(reps.getByRole("link").first()).toHaveAttribute(
    "href",
    new RegExp(`^mailto:.*subject=\\w+%20${number}`),
  );
  await axe(page);
  await onPaper(page);
  await press(page, "Order again");
  const again = page.getByRole("dialog", { name: `Order ${number} again` });
  await expect(again.getByRole("row").nth(1)).toContainText(/\$/);
  await axe(page);
  await press(page, "Add to cart");
  await expect(page.getByText(/^\d+ products? (was|were) added$/)).toBeVisible();
  await page.getByRole("link", { name: "View the cart" }).click();
  await expect(heading(page, "Cart")).toBeVisible();
  await expect(page.getByRole("region", { name: "Previously purchased" })).toBeVisible();
  await axe(page);
});

test("an order's page follows it until it is on its way, to its invoice and into the statement", {
  tag: "@whole",
}, async ({ page }) => {
  await signIn(page, GUS);
  const { id, number } = await anOrder(page, GUS, `JOURNEY ${aNumber()}`);
  await page.goto(`/order/${id}`);
  await expect(heading(page, `Order ${number}`)).toBeVisible();
  await expect(where(page)).toContainText("Waiting for the warehouse to send the order.");
  await expect(where(page)).toContainText(/Waiting for the rest|Everything is on its way/, {
    timeout: 60_000,
  });
  const invoice = page.getByRole("main").getByRole("link", { name: /^INV-/ }).first();
  await expect(invoice).toBeVisible({ timeout: 60_000 });
  const billed = (await invoice.textContent()) ?? "";
  await invoice.click();
  await expect(heading(page, `Invoice ${billed}`)).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: number })).toBeVisible();
  // The ERP's day and the site's differ for some hours of each.
  await page.goto(`/statement?from=${dayIn(-1)}&to=${dayIn(1)}`);
  const entries = page.getByRole("table", { name: "Entries" });
  await expect(entries.getByRole("row", { name: billed })).toContainText(/\$\d/);
  await axe(page);
});

test("an order is cancelled until it is handed over", { tag: "@whole" }, async ({ page }) => {
  await signIn(page, DANA);
  const { id } = await anOrder(page, DANA, `JOURNEY ${aNumber()} ERP-DOWN`);
  await page.goto(`/order/${id}`);
  await expect(where(page)).toContainText("Until then it can be cancelled.");
  await press(page, "Cancel this order");
  await page.getByLabel("Why? (optional)").fill("Ordered twice");
  await axe(page);
  await page.getByLabel("Why? (optional)").press("Enter");
  await expect(where(page)).toContainText("This order was cancelled: Ordered twice", {
    timeout: 60_000,
  });
  await expect(page.getByRole("button", { name: "Cancel this order" })).toHaveCount(0);
});

test("an order that is not there says so, and its address without one is the list", {
  tag: "@whole",
}, async ({ page }) => {
  await signIn(page, GUS);
  await page.goto("/order/0123456789abcdef");
  await expect(heading(page, "Order not found")).toBeVisible();
  await axe(page);
  await page.goto("/order");
  await expect(heading(page, "My Orders")).toBeVisible();
});

const DAY_MS = 86_400_000;

/** So many days from now, as an address names it. */
function dayIn(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
}
