import { expect, type Page, test } from "@playwright/test";
import { aCart } from "../e2e/buying";
import { OLIVIA } from "../e2e/people";
import { aDevice, control } from "../e2e/stack";
import { signInAs, take } from "./opening";

/** Other faces of pages of the desk (`addresses.ts` has each once). */
const PAGES = {
  "search-term": "/search?s=remote&so=best-match",
  "search-list": "/search?v=list",
  "quick-order": "/search?qo=true",
  "cart-full": "/cart",
};

async function asOlivia(page: Page): Promise<Record<string, string>> {
  return { Authorization: `Bearer ${await signInAs(page, OLIVIA)}` };
}

test("pages of the desk @french @phone", async ({ page }) => {
  test.setTimeout(400_000);
  await asOlivia(page);
  await aCart(page, OLIVIA, 3);
  for (const [name, path] of Object.entries(PAGES)) {
    await page.goto(path);
    await take(page, name);
  }
});

test("an invoice and a credit memo @french @phone", async ({ page }) => {
  const headers = await asOlivia(page);
  for (const [name, listed, path] of [
    ["invoice", "/api/invoices", "/invoice"],
    ["credit-memo", "/api/credit-memos", "/credit-memo"],
  ] as const) {
    const answer = await page.request.post(listed, { headers, data: {} });
    const { results } = (await answer.json()) as { results: { number: string }[] };
    if (!results[0]) throw new Error(`there is no ${name}`);
    await page.goto(`${path}/${results[0].number}`);
    await expect(page.getByRole("main").getByText(results[0].number).first()).toBeVisible();
    await take(page, `${name}-alone`);
  }
});

test("the checkout, an order and a device @french @phone", async ({ page }) => {
  const headers = await asOlivia(page);
  const token = await aCart(page, OLIVIA, 2);
  await page.goto(`/cart/checkout/products?token=${token}`);
  await take(page, "checkout");
  const listed = await page.request.post("/api/order-transactions", { headers, data: {} });
  const { results = [] } = (await listed.json()) as { results?: { id: string }[] };
  for (const { id } of results.slice(0, 1)) {
    await page.goto(`/order/${id}`);
    await take(page, "order");
  }
  const { key } = aDevice("010");
  await control({ device_key: key, owner_dealer_id: "harbour" });
  await page.goto(`/devices/${key}`);
  await take(page, "device");
});
