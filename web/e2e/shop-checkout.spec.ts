import type { Page } from "@playwright/test";
import { choose, saved } from "./cards";
import { axe, expect, heading, press, signIn, tabTo, test } from "./journey";
import { INES, message, OLIVIA, PAULA } from "./people";
import { CHLOE, PASSWORD } from "./stack";
import { Walker } from "./walk";

/** One after the other: they share carts and cards. */
test.describe.configure({ mode: "default" });

const SIMULATORS = process.env.E2E_SIMULATORS_URL ?? "http://127.0.0.1:9000";

type Person = { email: string };
type Account = { creditLimit: number | null; availableCredit: number | null };

/** Seeded owners, each of another business, who buy in no other journey. */
const owner = (first: string, last: string) => ({
  email: `${first}.${last}@turnkey.example`.toLowerCase(),
});
const HARPER = owner("Harper", "Hughes");
const INDIGO = owner("Indigo", "Ito");
const JAMIE = owner("Jamie", "Jansen");
const TAYLOR = owner("Taylor", "Wagner");
const KERRY = owner("Kerry", "Jansen");
const LOGAN = owner("Logan", "Kowalski");

const STEADY = "FT-IT-0001-STD";
/** Bought in one journey only, which counts what is left of it. */
const COUNTED = "IS-BM-0103-STD";
const CHECKOUT = "/cart/checkout/products";

/** At Harbour Car Audio, where saved cards are good, declined or need the bank's word. */
const buyer = () => (test.info().project.name === "phone" ? CHLOE : OLIVIA);
const order = (page: Page) => page.getByRole("region", { name: "Your order", exact: true });
const done = (page: Page) => expect(heading(page, "Order Complete")).toBeVisible();

test("from a search to an order with a card: once, however often it is pressed @phone", async ({
  page,
}) => {
  await begin(page, buyer());
  await page.getByLabel("Search products or SKUs").fill(STEADY);
  await page.getByLabel("Search products or SKUs").press("Enter");
  await page
    .getByRole("button", { name: /^Add to cart: / })
    .first()
    .click();
  await page.getByRole("link", { name: /^Cart, 1$/ }).click();
  await page.getByRole("link", { name: /^Check out/ }).click();
  await expect(heading(page, "Purchase Products")).toBeVisible();
  await expect(order(page)).toContainText(STEADY);
  await axe(page);
  await press(page, "Change: Shipping");
  await axe(page);
  await page.getByRole("radio", { name: /^Express/ }).check();
  await expect(order(page)).toContainText("Shipping: Express");
  await page.getByLabel("PO number (optional)").fill("PO+17");
  await expect(page.getByText(/Must contain only letters, numbers, spaces/)).toBeVisible();
  const po = `PO 17 (${test.info().project.name})`;
  await page.getByLabel("PO number (optional)").fill(po);
  await choose(page, /4242/);
  await page.getByRole("button", { name: "Place order" }).dblclick();
  await done(page);
  await expect(page.getByText(/Your order T-\d+ is confirmed/)).toBeVisible();
  await expect(page.getByText(po)).toBeVisible();
  await axe(page);
  const token = tokenOf(page);
  expect(await taken(token)).toEqual({ intents: 1, left: await totalOf(page) });
  await page.goBack();
  await expect(heading(page, "Cart")).toBeVisible();
  await expect(page.getByText("Your cart is empty.")).toBeVisible();
  await page.goto(`${CHECKOUT}?token=${token}`);
  await done(page);
  await page.goto(`${CHECKOUT}/complete`);
  await expect(page.getByText(/Your order T-\d+ is confirmed/)).toBeVisible();
});

test("from the cart to Order Complete in six requests", async ({ page }) => {
  await beginWith(page, OLIVIA, 1);
  await page.goto("/cart");
  const way = page.getByRole("link", { name: /^Check out/ });
  await expect(way).toBeVisible();
  await expect(page.getByText(STEADY).first()).toBeVisible();
  const asked: string[] = [];
  let followed = false;
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (!followed && /^\/(api|v1)\//.test(pathname)) asked.push(`${request.method()} ${pathname}`);
  });
  page.on("response", (response) => {
    // a busy machine answers before the end: what is asked then to follow the order is no part of the way
    if (response.url().endsWith("/complete-b2b-checkout")) followed = response.status() === 202;
  });
  await way.click();
  await expect(order(page)).toContainText(STEADY);
  await page.getByLabel("PO number (optional)").fill("PO 19");
  await page.mouse.move(0, 0); // where it lies when the page changes, a link would be fetched ahead
  await page.getByRole("button", { name: "Place order" }).press("Enter");
  await done(page);
  expect(asked.join("\n")).toContain("/complete-b2b-checkout");
  expect(asked.length, asked.join("\n")).toBeLessThanOrEqual(6);
});

test("a declined card keeps everything else, and another one finishes @phone @whole", async ({
  page,
}) => {
  const token = await beginWith(page, buyer(), 2);
  await page.goto(CHECKOUT);
  const po = `PO 18 (${test.info().project.name})`;
  await page.getByLabel("PO number (optional)").fill(po);
  await choose(page, /0341/);
  await press(page, "Place order");
  await expect(page.getByText("The payment did not go through")).toBeVisible();
  await expect(page.getByText(/declined/i).first()).toBeVisible();
  await axe(page);
  await page.reload();
  await expect(page.getByText(`PO number: ${po}`)).toBeVisible();
  await expect(await saved(page, /0341.*Declined for this payment/)).toBeVisible();
  await choose(page, /4444/);
  await press(page, "Pay and finish");
  await done(page);
  await expect(page.getByText("Mastercard •••• 4444")).toBeVisible();
  expect((await taken(token)).left).toBe(await totalOf(page));
});

test("an order can be given up while it waits, and the cart is as it was @whole", async ({
  page,
}) => {
  const token = await beginWith(page, OLIVIA, 3);
  await page.goto(CHECKOUT);
  await choose(page, /3184/);
  await press(page, "Place order");
  await expect(page.getByText("Your bank asks you to confirm the payment")).toBeVisible();
  await expect(page.getByRole("link", { name: /Confirm with your bank/ })).toBeVisible();
  await press(page, "Cancel this order");
  await axe(page);
  await press(page, "Yes, cancel it");
  await expect(page.getByText(/The order was cancelled/)).toBeVisible();
  await expect(order(page)).toContainText("× 3");
  expect((await taken(token)).left).toBe(0);
});

test("a slow provider is waited for, also over a reload", { tag: "@whole" }, async ({ page }) => {
  await beginWith(page, PAULA, 1);
  await page.goto(CHECKOUT);
  await choose(page, /0006/);
  await press(page, "Place order");
  await expect(page.getByText("Asking for the payment")).toBeVisible();
  await expect(page.getByText(/Your order goes on by itself/)).toBeVisible();
  await page.reload();
  await expect(page.getByText("Asking for the payment")).toBeVisible();
  await done(page);
});

test("terms end at the credit limit, and another way to pay goes on", { tag: "@whole" }, async ({
  page,
}) => {
  test.setTimeout(240_000);
  await leaveCredit(await Walker.signIn(page, HARPER), "N1012", 20);
  await beginWith(page, HARPER, 1);
  await page.goto(CHECKOUT);
  await expect(page.getByText(/More than your credit: \$20.00 left/)).toBeVisible();
  await choose(page, /Payment terms/);
  await expect(order(page).getByRole("alert")).toContainText(
    "This order is above the credit that is left on your account.",
  );
  await expect(page.getByRole("button", { name: "Place order" })).toBeDisabled();
  await axe(page);
  await choose(page, /COD/);
  await expect(order(page).getByRole("alert")).toHaveCount(0);
  await press(page, "Place order");
  await done(page);
});

test("a rep is asked for a business, and orders for two of them", { tag: "@whole" }, async ({
  page,
}) => {
  await signIn(page, INES);
  await page.goto(CHECKOUT);
  for (const [code, way] of [
    ["N1016", /COD/],
    ["N1017", /Payment terms/],
  ] as const) {
    const modal = page.getByRole("dialog", { name: "Select Business" });
    await expect(modal).toBeVisible();
    await modal.getByLabel("Search by business name or code").fill(code);
    await modal.getByRole("radio", { name: new RegExp(code) }).check();
    await modal.getByRole("button", { name: "Confirm" }).click();
    await expect(modal).toHaveCount(0);
    await page.goto("/product/p1");
    await page
      .getByRole("button", { name: /^Add to cart: / })
      .first()
      .click();
    await expect(page.getByRole("link", { name: "Cart, 1" })).toBeVisible();
    await page.goto(CHECKOUT);
    await choose(page, way);
    await press(page, "Place order");
    await done(page);
    await page.goto("/");
    await page.getByRole("button", { name: "Exit" }).click();
    await page.goto(CHECKOUT);
  }
});

test("a spreadsheet becomes an order", { tag: "@whole" }, async ({ page }) => {
  await begin(page, INDIGO);
  await page.goto("/search?qo=true");
  const csv = `\ufeffSKU;Quantity\r\n"${STEADY}";"3"\r\nFT-TH-0101-STD;2\r\n`;
  await page
    .getByLabel("CSV or XLSX file")
    .setInputFiles({ name: "order.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  await expect(page.getByText(/2 can be added/)).toBeVisible();
  await press(page, "Add to cart");
  await page.getByRole("link", { name: "View the cart" }).click();
  await page.getByRole("link", { name: /^Check out/ }).click();
  await expect(order(page).getByRole("listitem")).toHaveCount(2);
  await choose(page, /COD/);
  await press(page, "Place order");
  await done(page);
  await expect(order(page).getByRole("listitem")).toHaveCount(2);
});

test("a coupon goes from its hint to the receipt @phone", { tag: "@whole" }, async ({ page }) => {
  const person = test.info().project.name === "phone" ? LOGAN : KERRY;
  await beginWith(page, person, 1);
  await page.goto("/cart");
  const coupon = page.getByRole("region", { name: "Coupon" });
  await expect(coupon).toContainText(/\$[\d,.]+ more for BULK5:/);
  await coupon.getByLabel("Coupon code").fill("bulk5");
  await coupon.getByLabel("Coupon code").press("Enter");
  await expect(coupon).toContainText(/BULK5 needs \$[\d,.]+ more of the goods/);
  await axe(page);
  const quantity = page
    .getByRole("list", { name: "Products in the cart" })
    .getByLabel(/^Quantity: /);
  await quantity.fill("600");
  await quantity.press("Enter");
  await expect(coupon).toContainText(/BULK5 5 % off from \$1,000: -\$/);
  await expect(page.getByRole("region", { name: "Totals" })).toContainText("Coupon BULK5");
  await page.getByRole("link", { name: /^Check out/ }).click();
  await expect(order(page)).toContainText("Coupon BULK5");
  await axe(page);
  await choose(page, /COD/);
  await press(page, "Place order");
  await done(page);
  await expect(order(page)).toContainText("Coupon BULK5");
  expect(await message(person.email, /Coupon BULK5/)).toMatch(/Coupon BULK5\s?: -\$?[\d,.]+/);
});

test("by keyboard alone", { tag: "@whole" }, async ({ page }) => {
  await beginWith(page, JAMIE, 1);
  await page.goto("/cart");
  await tabTo(page, page.getByRole("link", { name: /^Check out/ }));
  await page.keyboard.press("Enter");
  await expect(heading(page, "Purchase Products")).toBeFocused();
  await tabTo(page, page.getByRole("button", { name: "Change: Shipping" }));
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("radio", { name: /^Ground/ }));
  await page.keyboard.press("ArrowDown");
  await expect(order(page)).toContainText("Shipping: Express");
  await tabTo(page, page.getByLabel("PO number (optional)"));
  await page.keyboard.type("KEYS 1");
  await tabTo(page, page.getByRole("radio", { name: /COD/ }));
  await page.keyboard.press("Space");
  await tabTo(page, page.getByRole("button", { name: "Place order" }));
  await page.keyboard.press("Enter");
  await done(page);
  await expect(heading(page, "Order Complete")).toBeFocused();
});

test("what others have bought meanwhile is told, and needs a yes", { tag: "@whole" }, async ({
  page,
}) => {
  await beginWith(page, TAYLOR, (await stockOf(page, TAYLOR, COUNTED)) + 5, COUNTED);
  await page.goto(CHECKOUT);
  await choose(page, /COD/);
  await expect(order(page)).toContainText(/\d+ now, \d+ later/);
  await buyByCalls(page, HARPER, 1, COUNTED);
  await press(page, "Place order");
  const changes = page.getByRole("region", { name: "Changes since you looked" });
  await expect(changes).toContainText(/\d+ now, \d+ later/);
  await expect(page.getByRole("button", { name: "Place order" })).toBeDisabled();
  await axe(page);
  await press(page, "Yes, order it like this");
  await press(page, "Place order");
  await done(page);
});

/** Signed in, with nothing in the cart. */
async function begin(page: Page, person: Person): Promise<void> {
  await cartOf(page, person, 0);
  await signIn(page, person);
}

/** Signed in, with so many pieces in the cart; its token. */
async function beginWith(
  page: Page,
  person: Person,
  quantity: number,
  sku = STEADY,
): Promise<string> {
  const { token } = await cartOf(page, person, quantity, sku);
  await signIn(page, person);
  return token;
}

async function cartOf(page: Page, { email }: Person, quantity: number, sku = STEADY) {
  const signedIn = await page.request.post("/v1/auth/sign-in", {
    data: { username: email, password: PASSWORD },
  });
  const { access_token } = (await signedIn.json()) as { access_token: string };
  const headers = { Authorization: `Bearer ${access_token}` };
  const found = await page.request.get(`/api/product-by-sku/${sku}`, { headers });
  const product = (await found.json()) as { defaultVariant: { id: string } };
  const lines = quantity ? [{ variantId: product.defaultVariant.id, quantity }] : [];
  const begun = await page.request.post("/api/products-checkout/create-b2b", {
    headers,
    data: { startNew: true, lines },
  });
  expect(begun.status(), await begun.text()).toBe(200);
  await page.context().clearCookies();
  const { token } = (await begun.json()) as { token: string };
  return { token, headers };
}

/** How many of the article are on hand for somebody who orders now. */
async function stockOf(page: Page, person: Person, sku: string): Promise<number> {
  const { token, headers } = await cartOf(page, person, 9999, sku);
  const asked = await page.request.post(`/v1/placements/${token}/mock`, { headers, data: {} });
  const quote = (await asked.json()) as { lines: { now: number }[] };
  return quote.lines[0]?.now ?? 0;
}

/** Somebody else orders while the page is open. */
async function buyByCalls(
  page: Page,
  person: Person,
  quantity: number,
  sku: string,
): Promise<void> {
  const cookies = await page.context().cookies();
  const { token, headers } = await cartOf(page, person, quantity, sku);
  await page.context().addCookies(cookies);
  const path = `/api/products-checkout/${token}`;
  const gateway = { gateway: "ACH_COD", type: "COD" };
  await page.request.post(`${path}/set-b2b-payment`, { headers, data: gateway });
  const placed = await page.request.post(`${path}/complete-b2b-checkout`, { headers, data: {} });
  expect(placed.status(), await placed.text()).toBeLessThan(300);
}

function tokenOf(page: Page): string {
  return new URL(page.url()).searchParams.get("token") ?? "";
}

/** In cents, as the page says it in either language. */
async function totalOf(page: Page): Promise<number> {
  const text = await order(page).locator("dd").last().textContent();
  return Number(text?.replace(/\D/g, ""));
}

/** What the card provider has of an order: how many attempts, and how many cents in the end. */
async function taken(token: string): Promise<{ intents: number; left: number }> {
  const answer = await fetch(`${SIMULATORS}/cards/_ledger?flow_id=${token}`);
  const { intents, sums } = (await answer.json()) as {
    intents: unknown[];
    sums: { captured?: number; refunded?: number };
  };
  return { intents: intents.length, left: (sums.captured ?? 0) - (sums.refunded ?? 0) };
}

/** The ERP lets the business owe so much more than it does; the portal hears of it in its next round. */
async function leaveCredit(walker: Walker, code: string, left: number): Promise<void> {
  let used = 0;
  const heard = () =>
    expect.poll(
      async () => {
        const account = (await walker.read(`/api/business-partners/${code}`)) as Account;
        used = (account.creditLimit ?? 0) - (account.availableCredit ?? 0);
        return account.availableCredit;
      },
      { message: `what ${code} may still owe`, timeout: 90_000 },
    );
  await heard().toBeGreaterThan(left);
  const answer = await fetch(`${SIMULATORS}/erp/_control`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ code, credit_limit: Math.round((used + left) * 100) / 100 }),
  });
  expect(answer.ok, await answer.text()).toBe(true);
  await heard().toBe(left);
}
