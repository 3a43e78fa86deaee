import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { choose, GOOD, saveCard } from "./cards";
import { anInvoice, boxOf, businessOf, issue, rowOf, shown } from "./invoicing";
import { anotherBrowser, axe, expect, heading, press, signIn, test } from "./journey";
import { OLIVIA, owner } from "./people";
import { aNumber, CHLOE, PASSWORD } from "./stack";

/** Each of another business, whom no other journey knows. */
const THEO = owner("Theo", "Blanc");
const GALE = owner("Gale", "Fournier");
const LENA = owner("Lena", "Hart");

const HOUR = 3_600_000;
const TORONTO = { timeZone: "America/Toronto" } as const;

/** Whole days from the day of UTC back to one that is so old in the time zone of the Canadian site. */
function ageAtTheSite(days: number): number {
  const there = new Intl.DateTimeFormat("en-CA", TORONTO).format(new Date());
  const here = new Date().toISOString().slice(0, 10);
  return days + (Date.parse(here) - Date.parse(there)) / (24 * HOUR);
}

async function toPay(page: Page, ...numbers: string[]) {
  for (const number of numbers) await boxOf(page, number).check();
  await page.getByRole("link", { name: "Pay", exact: true }).click();
  await expect(heading(page, "Pay Invoices")).toBeVisible();
}

const summary = (page: Page) => page.getByRole("region", { name: "Summary" });

test("of two payers the second one sees by whom and since when an invoice is held @phone", {
  tag: "@whole",
}, async ({ page, browser }) => {
  const number = `INV-E2E-${aNumber()}-10`;
  await anInvoice(await businessOf(page, OLIVIA), number);
  const elsewhere = await anotherBrowser(browser, page);
  await signIn(elsewhere, CHLOE);
  await shown(elsewhere, number);
  await toPay(elsewhere, number);
  await expect(summary(elsewhere)).toContainText("1 invoice");
  await signIn(page, OLIVIA);
  await shown(page, number);
  await toPay(page, number);
  await choose(page, /0341/);
  await page.getByRole("button", { name: /^Pay \$98\.00/ }).click();
  await expect(page.getByText(/Nothing was charged/)).toBeVisible({ timeout: 60_000 });
  await choose(elsewhere, /4242/);
  await press(elsewhere, /^Pay \$98\.00/);
  const held = /It is being paid by Olivia Marchand since \w+/;
  await expect(rowOf(elsewhere, number)).toContainText(held);
  await axe(elsewhere);
  await shown(elsewhere, number);
  await expect(rowOf(elsewhere, number)).toContainText(/by Olivia Marchand since \w+/);
  await expect(boxOf(elsewhere, number)).toBeDisabled();
  await press(page, /^Cancel/);
  await expect(page.getByText(/The invoices are free to be paid again/)).toBeVisible();
  await shown(elsewhere, number);
  await toPay(elsewhere, number);
  await choose(elsewhere, /4242/);
  await press(elsewhere, /^Pay \$98\.00/);
  await expect(elsewhere.getByText(/All of these invoices are paid/)).toBeVisible({
    timeout: 60_000,
  });
});

test("a discount is granted on its last day and not on the day after, whatever the browser's clock says", {
  tag: "@whole",
}, async ({ page }) => {
  await saveCard(page, GALE, GOOD);
  const business = await businessOf(page, GALE);
  const set = `INV-E2E-${aNumber()}`;
  const [last, after] = [`${set}-LASTDAY`, `${set}-DAYAFTER`];
  await anInvoice(business, last, ageAtTheSite(10));
  await anInvoice(business, after, ageAtTheSite(11));
  await signIn(page, GALE);
  await page.clock.setFixedTime(new Date(Date.now() + 3 * HOUR * 24));
  await shown(page, `${set}-`, 2);
  await expect(rowOf(page, last)).toContainText("$2.00 off now");
  await expect(rowOf(page, after)).not.toContainText("off now");
  await toPay(page, last, after);
  await expect(summary(page)).toContainText(/Discount-?\$2\.00|Discount\s*[-−]\$2\.00/);
  await choose(page, /4242/);
  await press(page, /^Pay \$198\.00/);
  await expect(page.getByText(/All of these invoices are paid/)).toBeVisible({ timeout: 60_000 });
});

test("a memo that is larger than its invoice pays it, and its rest stays", {
  tag: "@whole",
}, async ({ page }) => {
  const business = await businessOf(page, LENA);
  const number = `INV-E2E-${aNumber()}-10`;
  const memo = `CM-E2E-${aNumber()}`;
  await anInvoice(business, number);
  await issue("credit_memo", {
    number: memo,
    partner_code: business,
    reason: "Returned goods",
    create_date: new Date(Date.now() - 72 * HOUR).toISOString().slice(0, 10),
    total: 150,
    applied: 0,
  });
  await signIn(page, LENA);
  await shown(page, number);
  await toPay(page, number);
  await page.getByRole("checkbox", { name: new RegExp(`^${memo}`) }).check();
  await expect(page.getByText(/\$98\.00 of it is applied/)).toBeVisible();
  await axe(page);
  await press(page, "Apply the credit memos");
  await expect(page.getByText(/All of these invoices are paid/)).toBeVisible({ timeout: 60_000 });
  await page.goto(`/credit-memo/${memo}`);
  await expect(heading(page, `Credit memo ${memo}`)).toBeVisible();
  await expect(page.getByRole("region", { name: "Totals" })).toContainText("$52.00");
});

test("a debit that the bank returns frees its invoice, and the discount is granted again", {
  tag: "@whole",
}, async ({ page }) => {
  const number = `INV-E2E-${aNumber()}-10`;
  await anInvoice(await businessOf(page, THEO), number);
  await saveBankAccount(page, THEO, "000222222227", [22, 27]);
  await signIn(page, THEO);
  await shown(page, number);
  await toPay(page, number);
  await choose(page, /2227/);
  await press(page, /^Pay \$98\.00/);
  await expect(page.getByText(/The bank sent the payment back/)).toBeVisible({ timeout: 60_000 });
  await axe(page);
  await shown(page, number);
  await expect(rowOf(page, number)).toContainText("Open");
  await expect(rowOf(page, number)).toContainText("$2.00 off now");
});

test("a statement is printed without what is only for the screen", { tag: "@whole" }, async ({
  page,
}) => {
  await signIn(page, OLIVIA);
  await page.goto("/statement");
  const entries = page.getByRole("table", { name: "Entries" });
  await expect(entries.getByRole("row").nth(1)).toBeVisible();
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute("data-printed", "");
  });
  await press(page, "Print");
  await expect(page.locator("body[data-printed]")).toHaveCount(1);
  await page.emulateMedia({ media: "print" });
  await expect(entries).toBeVisible();
  await expect(heading(page, "Statement of account")).toBeVisible();
  await expect(page.getByRole("button", { name: "Print" })).toBeHidden();
  await expect(page.getByRole("navigation").first()).toBeHidden();
});

/** A bank account of the person's business, verified by its two deposits, by calls: a journey of billing is about adding one. */
async function saveBankAccount(
  page: Page,
  person: { email: string },
  accountNumber: string,
  amounts: number[],
) {
  const signedIn = await page.request.post("/v1/auth/sign-in", {
    data: { username: person.email, password: PASSWORD },
  });
  const { access_token } = (await signedIn.json()) as { access_token: string };
  const send = (path: string, data: unknown) =>
    page.request.post(path, {
      headers: { Authorization: `Bearer ${access_token}`, "Idempotency-Key": randomUUID() },
      data,
    });
  const added = await send("/api/create-bank-account", {
    name: "Ridgeline Auto",
    holderType: "Company",
    accountType: "Checking",
    routingNumber: "000310000",
    accountNumber,
    streetAddress1: "1 Dock Street",
    city: "Vancouver",
    state: "BC",
    postalCode: "V6B 1A1",
    countryCode: "CA",
  });
  expect(added.status(), await added.text()).toBe(200);
  const { id } = (await added.json()) as { id: string };
  await expect(async () => {
    const verified = await send("/api/verify-bank-account", { paymentMethodId: id, amounts });
    expect(verified.status(), await verified.text()).toBe(200);
  }).toPass({ timeout: 30_000 });
}
