import type { Page } from "@playwright/test";
import { axe, expect, heading, onPaper, press, signIn, test } from "./journey";
import { OLIVIA } from "./people";

const owner = (first: string, last: string) => ({
  first,
  email: `${first}.${last}@turnkey.example`.toLowerCase(),
});
/** Seeded owners whose businesses have one open invoice each: its discount ends today; its debit came back last night. */
const MIRA = owner("Mira", "Solberg");
const VERA = owner("Vera", "Kline");

const table = (page: Page) => page.getByRole("table", { name: "Invoices" });
const chosen = (page: Page) => page.getByRole("region", { name: "Selected invoices" });
const boxes = (page: Page) => table(page).getByRole("checkbox", { name: /^Select INV-/ });

test("invoices are found, aged, and selected from page to page @phone", async ({ page }) => {
  await signIn(page, OLIVIA);
  await page.goto("/invoice");
  await expect(heading(page, "Invoices")).toBeVisible();
  await expect(boxes(page)).toHaveCount(10);
  await expect(page.getByRole("region", { name: "Account" })).toContainText("Available credit");
  await axe(page);
  await page.getByRole("group", { name: "Open by age" }).getByRole("button").first().click();
  await expect(page).toHaveURL(/status=current/);
  const tabs = page.getByRole("navigation", { name: "Status" });
  await expect(tabs.getByRole("link", { name: /^Paid [1-9]/ })).toBeVisible();
  await expect(tabs.getByRole("link", { name: /^In payment \d/ })).toBeVisible();
  await tabs.getByRole("link", { name: /^Open \d/ }).click();
  await expect(page).toHaveURL(/status=open/);
  await expect(tabs.getByRole("link", { name: /^Open \d/ })).toHaveAttribute(
    "aria-current",
    "page",
  );
  await page.reload();
  await boxes(page).first().press("Space");
  await expect(chosen(page)).toContainText("1 invoice selected");
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page).toHaveURL(/p=2/);
  await expect(boxes(page).first()).not.toBeChecked();
  // By its name: a new invoice of the same business moves it down.
  const name = (await boxes(page).first().getAttribute("aria-label")) ?? "";
  const second = table(page).getByRole("checkbox", { name, exact: true });
  await second.press("Space");
  await expect(chosen(page)).toContainText("2 invoices selected");
  await page.reload();
  await expect(chosen(page)).toContainText("2 invoices selected");
  await expect(second).toBeChecked();
  await axe(page);
  const saved = page.waitForEvent("download");
  await press(page, "Download as CSV");
  expect((await saved).suggestedFilename()).toBe("invoices.csv");
  await press(page, "Select none");
  await expect(chosen(page)).toHaveCount(0);
  const link = table(page).getByRole("link").first();
  const number = (await link.textContent()) ?? "";
  await link.press("Enter");
  await expect(heading(page, `Invoice ${number}`)).toBeVisible();
  await expect(page.getByRole("table", { name: "Products" })).toBeVisible();
  await axe(page);
  await onPaper(page);
  await page.getByRole("main").getByRole("link", { name: /^T-\d/ }).click();
  await expect(heading(page, /^Order T-/)).toBeVisible();
  await page.getByRole("link", { name: number }).first().click();
  await expect(heading(page, `Invoice ${number}`)).toBeVisible();
  await page.getByRole("link", { name: "All invoices" }).click();
  await expect(heading(page, "Invoices")).toBeVisible();
});

test("a page that does not come is asked for again, and all else stays", {
  tag: "@whole",
}, async ({ page }) => {
  await signIn(page, OLIVIA);
  await page.goto("/invoice?status=open&so=due-asc");
  await boxes(page).first().check();
  await page.route("**/api/invoices", (route) => route.abort());
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page.getByRole("alert")).toContainText("We could not reach Turnkey.");
  await expect(chosen(page)).toContainText("1 invoice selected");
  await axe(page);
  await page.unroute("**/api/invoices");
  await press(page, "Try again");
  await expect(page).toHaveURL(/status=open&so=due-asc&p=2/);
  await expect(boxes(page)).toHaveCount(10);
  await expect(chosen(page)).toContainText("1 invoice selected");
});

test("a discount has its last day, and a returned debit takes it back", {
  tag: "@whole",
}, async ({ page }) => {
  await signIn(page, MIRA);
  await page.goto("/invoice?status=open");
  await expect(boxes(page)).toHaveCount(1);
  await expect(table(page)).toContainText("off now");
  await table(page).getByRole("link").first().click();
  const totals = page.getByRole("region", { name: "Totals" });
  await expect(totals).toContainText("Discount for paying now");
  await expect(totals).toContainText("until the end of");
  await page.context().clearCookies();
  await signIn(page, VERA);
  await page.goto("/invoice?status=open");
  await table(page).getByRole("link").first().click();
  const settled = page.getByRole("table", { name: "Payments and credit memos" });
  await expect(settled).toContainText("Returned payment");
});

test("credit memos and the statement lead to their invoices @phone", {
  tag: "@whole",
}, async ({ page }) => {
  await signIn(page, OLIVIA);
  await page.goto("/credit-memo");
  const memos = page.getByRole("table", { name: "Credit memos" });
  const first = memos.getByRole("link").first();
  const number = (await first.textContent()) ?? "";
  await axe(page);
  await first.click();
  await expect(heading(page, `Credit memo ${number}`)).toBeVisible();
  await axe(page);
  await onPaper(page);
  await page.goto("/statement");
  const entries = page.getByRole("table", { name: "Entries" });
  await expect(entries.getByRole("row").nth(1)).toBeVisible();
  await axe(page);
  const saved = page.waitForEvent("download");
  await press(page, "Download as PDF");
  expect((await saved).suggestedFilename()).toMatch(/^statement-.*\.pdf$/);
  await entries.getByRole("link", { name: /^INV-/ }).first().click();
  await expect(heading(page, /^Invoice INV-/)).toBeVisible();
});
