import { choose, DECLINED, GOOD, saveCard } from "./cards";
import { anInvoice, boxOf, businessOf, day, issue, rowOf, shown } from "./invoicing";
import { anotherBrowser, axe, expect, heading, press, signIn, test } from "./journey";
import { owner } from "./people";
import { aNumber } from "./stack";

/** Seeded owners, each of another business: invoices and cards are theirs alone. */
const PAYERS = { desktop: owner("Oakley", "Nguyen"), phone: owner("Jamie", "Ito") };
const MORGAN = owner("Morgan", "Lavoie");

test("twelve invoices with a memo: the ERP refuses one, which is paid back @phone", async ({
  page,
}) => {
  const payer = PAYERS[test.info().project.name === "phone" ? "phone" : "desktop"];
  await saveCard(page, payer, GOOD);
  const business = await businessOf(page, payer);
  const set = `INV-E2E-${aNumber()}`;
  const good = Array.from({ length: 11 }, (_, n) => `${set}-${n + 10}`);
  const bad = `${set}-REFUSED`;
  await Promise.all([...good, bad].map((number) => anInvoice(business, number)));
  const memo = `CM-E2E-${aNumber()}`;
  await issue("credit_memo", {
    number: memo,
    partner_code: business,
    reason: "Returned goods",
    create_date: day(-3),
    total: 150,
    applied: 0,
  });
  await signIn(page, payer);
  await shown(page, `${set}-`, 12);
  for (const number of [...good, bad]) await boxOf(page, number).check();
  await page.getByRole("link", { name: "Pay", exact: true }).click();
  await expect(heading(page, "Pay Invoices")).toBeVisible();
  const summary = page.getByRole("region", { name: "Summary" });
  await expect(summary.getByText("12 invoices")).toBeVisible();
  await expect(summary.getByText(/The first of these discounts ends in/)).toBeVisible();
  const first = page.getByRole("textbox", { name: `Amount for ${good[0]}` });
  await first.fill("$1,000.00x");
  await expect(first).toHaveValue("1000.00");
  await first.blur();
  await expect(first).toHaveValue("100.00");
  await page.getByRole("checkbox", { name: new RegExp(`^${memo}`) }).check();
  await expect(page.getByText(/of it is applied/)).toBeVisible();
  await choose(page, /4242/);
  await axe(page);
  await page.getByRole("button", { name: /^Pay \$1,026\.00/ }).click();
  await expect(heading(page, "Invoice Payment")).toBeVisible();
  await expect(page.getByText(/Their part of the payment was paid back/)).toBeVisible({
    timeout: 60_000,
  });
  await expect(rowOf(page, bad)).toContainText("The ERP does not accept this payment.");
  await axe(page);
  await shown(page, `${set}-`, 12);
  await expect(rowOf(page, good[0] ?? "")).toContainText("Paid");
  await expect(rowOf(page, bad)).toContainText("Open");
});

test("a declined card holds the invoice, and another one pays it", { tag: "@whole" }, async ({
  page,
  browser,
}) => {
  await saveCard(page, MORGAN, DECLINED);
  await saveCard(page, MORGAN, GOOD);
  const number = `INV-E2E-${aNumber()}-10`;
  await anInvoice(await businessOf(page, MORGAN), number);
  await signIn(page, MORGAN);
  await shown(page, number);
  await boxOf(page, number).check();
  await page.getByRole("link", { name: "Pay", exact: true }).click();
  await choose(page, /0010/);
  await page.getByRole("button", { name: /^Pay \$98\.00/ }).click();
  await expect(page.getByText(/Nothing was charged/)).toBeVisible({ timeout: 60_000 });
  const elsewhere = await anotherBrowser(browser, page);
  await signIn(elsewhere, MORGAN);
  await shown(elsewhere, number);
  await expect(rowOf(elsewhere, number)).toContainText("In payment");
  await expect(rowOf(elsewhere, number)).toContainText("Morgan Lavoie");
  await expect(elsewhere.getByRole("checkbox", { name: `Select ${number}` })).toBeDisabled();
  await choose(page, /4242/);
  await press(page, /^Pay \$98\.00/);
  await expect(page.getByText(/All of these invoices are paid/)).toBeVisible({ timeout: 60_000 });
  await shown(elsewhere, number);
  await expect(rowOf(elsewhere, number)).toContainText("Paid");
});

test("what to pay is chosen well, and a bookkeeper pays one of it by a link @phone @whole", async ({
  page,
  browser,
}) => {
  const payer = PAYERS[test.info().project.name === "phone" ? "phone" : "desktop"];
  const number = `INV-E2E-${aNumber()}-10`;
  await anInvoice(await businessOf(page, payer), number);
  await signIn(page, payer);
  await shown(page, number);
  const paying = page.getByRole("region", { name: "Paying well" });
  await paying.getByLabel("Money to pay with (USD)").fill("1000000");
  await page.keyboard.press("Enter");
  await expect(paying.getByRole("status")).toContainText("invoices are selected");
  await expect(boxOf(page, number)).toBeChecked();
  await axe(page);
  await page.getByRole("link", { name: number }).click();
  const links = page.getByRole("region", { name: "Payment links" });
  await links.getByLabel("Name of whom it is for").fill("Nadia Roy");
  await page.keyboard.press("Enter");
  const url = await links.getByRole("textbox", { name: "Link for Nadia Roy" }).inputValue();
  await expect(links.getByRole("table")).toContainText("Nadia Roy");
  await axe(page);
  const guest = await anotherBrowser(browser, page);
  await guest.goto(url);
  await expect(heading(guest, `Invoice ${number}`)).toBeVisible();
  await expect(guest.getByText("$98.00").first()).toBeVisible();
  await axe(guest);
  await guest.getByLabel("Name on the card").fill("Nadia Roy");
  const frame = guest.frameLocator("iframe");
  await frame.getByLabel("Card number").fill(GOOD);
  await frame.getByLabel(/Expiry/).fill("1230");
  await frame.getByLabel(/Security code/).fill("123");
  const pay = guest.getByRole("button", { name: "Pay $98.00" });
  await pay.focus(); // out of the frame, which would take the first press for itself
  await pay.press("Enter");
  await expect(guest.getByText("This invoice is paid.")).toBeVisible({ timeout: 60_000 });
  await axe(guest);
  const stranger = await anotherBrowser(browser, page);
  await stranger.goto(`${url}x`);
  await expect(heading(stranger, "This link is no longer valid")).toBeVisible();
  await axe(stranger);
  await shown(page, number);
  await expect(rowOf(page, number)).toContainText("Paid");
});
