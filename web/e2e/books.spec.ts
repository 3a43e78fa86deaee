import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { aCart } from "./buying";
import { choose, GOOD, saveCard } from "./cards";
import { day } from "./invoicing";
import { axe, expect, heading, press, signIn, test } from "./journey";
import { aBuyer, owner } from "./people";
import { aNumber } from "./stack";

/** Seeded: the owner of a business that buys on terms, and that no other journey saves a card for. */
const ALEX = owner("Alex", "Abbott");

async function keptAsPdf(page: Page) {
  const saved = page.waitForEvent("download");
  await press(page, "Download as PDF");
  const pdf = await readFile(await (await saved).path());
  expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
}

test("from an order to its shipment, invoice, discount, payment, receipt and statement @whole", async ({
  page,
}) => {
  test.setTimeout(240_000);
  await saveCard(page, ALEX, GOOD);
  const buyer = await aBuyer(page, ALEX);
  const token = await aCart(page, buyer, 2);
  await signIn(page, buyer);
  const main = page.getByRole("main");

  await test.step("the order, on terms", async () => {
    await page.goto(`/cart/checkout/products?token=${token}`);
    await page.getByLabel("PO number (optional)").fill(`BOOKS ${aNumber()}`);
    await choose(page, /Payment terms/);
    await press(page, "Place order");
    await expect(heading(page, "Order Complete")).toBeVisible({ timeout: 60_000 });
    await main.getByRole("link", { name: "Follow this order" }).click();
    await expect(heading(page, /^Order \w/)).toBeVisible();
  });

  const order = new URL(page.url()).pathname;
  const shipments = page.getByRole("region", { name: "Shipments" });
  const invoice = shipments.getByRole("link", { name: /^INV-/ });
  await test.step("its shipment, with its tracking number", async () => {
    await expect(shipments).toContainText(/tracking number \w/, { timeout: 60_000 });
    await expect(invoice).toBeVisible({ timeout: 60_000 });
    await keptAsPdf(page);
  });

  const number = (await invoice.textContent()) ?? "";
  const totals = page.getByRole("region", { name: "Totals" });
  const settled = page.getByRole("table", { name: "Payments and credit memos" });
  await test.step("its invoice, with a discount for ten days", async () => {
    await invoice.click();
    await expect(heading(page, `Invoice ${number}`)).toBeVisible();
    await expect(totals).toContainText(/Discount for paying now\s*-\$\d/);
    await expect(totals).toContainText(/within 10 days\s*2%, until the end of/);
    await press(page, "Select to pay");
    await main.getByRole("link", { name: "All invoices" }).click();
    const selected = page.getByRole("region", { name: "Selected invoices" });
    await expect(selected).toContainText(/1 invoice selected: \$\d+\.\d\d with \$\d+\.\d\d off/);
    await selected.getByRole("link", { name: "Pay", exact: true }).click();
  });

  await test.step("its payment, and the receipt of that", async () => {
    await expect(heading(page, "Pay Invoices")).toBeVisible();
    await expect(page.getByRole("region", { name: "Summary" })).toContainText(/Discount\s*-\$\d/);
    await choose(page, /4242/);
    await press(page, /^Pay \$\d/);
    await expect(page.getByText("All of these invoices are paid")).toBeVisible({ timeout: 60_000 });
    await keptAsPdf(page);
    await axe(page);
  });

  const payment = page.url();
  await test.step("the invoice, which is paid by it", async () => {
    await main.getByRole("link", { name: number }).click();
    await expect(heading(page, `Invoice ${number}`)).toBeVisible();
    await expect(totals).toContainText(/To pay\s*\$0\.00/);
    await settled.getByRole("link").first().click();
    await expect(page).toHaveURL(payment);
  });

  await test.step("the statement, with both of them", async () => {
    // The ERP's day and the site's differ for some hours of each.
    await page.goto(`/statement?from=${day(-1)}&to=${day(1)}`);
    const entries = page.getByRole("table", { name: "Entries" });
    const row = entries.getByRole("row").filter({ hasText: number });
    await expect(row.filter({ hasText: "Invoice" })).toContainText(/\$\d/);
    await expect(row.filter({ hasText: "Payment" })).toContainText(/-\$\d/);
    await keptAsPdf(page);
    await row.filter({ hasText: "Invoice" }).getByRole("link", { name: number }).click();
    await totals.getByRole("link").first().click();
    await expect(page).toHaveURL(new RegExp(`${order}$`));
  });
});
