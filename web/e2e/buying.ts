/** What journeys do by the calls of the shop's screens, where they are about something else. */
import { randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { PASSWORD } from "./stack";

export const STEADY = "FT-IT-0001-STD";

type Person = { email: string; password?: string };

/** A new cart of the person with so many pieces; its token. The page's own sign-in stays. */
export async function aCart(page: Page, person: Person, quantity = 1): Promise<string> {
  const held = await page.context().cookies();
  const signedIn = await page.request.post("/v1/auth/sign-in", {
    data: { username: person.email, password: person.password ?? PASSWORD },
  });
  const { access_token } = (await signedIn.json()) as { access_token: string };
  const headers = { Authorization: `Bearer ${access_token}`, "Idempotency-Key": randomUUID() };
  const found = await page.request.get(`/api/product-by-sku/${STEADY}`, { headers });
  const product = (await found.json()) as { defaultVariant: { id: string } };
  const begun = await page.request.post("/api/products-checkout/create-b2b", {
    headers,
    data: { startNew: true, lines: [{ variantId: product.defaultVariant.id, quantity }] },
  });
  expect(begun.ok(), await begun.text()).toBe(true);
  await page.context().clearCookies();
  await page.context().addCookies(held);
  return ((await begun.json()) as { token: string }).token;
}

/** Places an order of one product by the calls that the checkout's screens make, paid on delivery. */
export async function anOrder(
  page: Page,
  person: Person,
  poNumber: string,
): Promise<{ id: string; number: string }> {
  const signed = await page.request.post("/v1/auth/sign-in", {
    data: { username: person.email, password: PASSWORD, remember_me: true },
  });
  const { access_token } = (await signed.json()) as { access_token: string };
  const headers = { Authorization: `Bearer ${access_token}` };

  async function send<T>(path: string, data: object): Promise<T> {
    const key = randomUUID();
    const answer = await page.request.post(path, {
      data,
      headers: { ...headers, "Idempotency-Key": key },
    });
    expect(answer.ok(), await answer.text()).toBe(true);
    return (await answer.json()) as T;
  }

  type Found = { results: { defaultVariant: { id: string } }[] };
  const found = await send<Found>("/api/search-products", { searchTerm: STEADY });
  const variantId = found.results[0]?.defaultVariant.id;
  const { token } = await send<{ token: string }>("/api/products-checkout/create-b2b", {
    startNew: true,
    lines: [{ variantId, quantity: 2 }],
  });
  const cart = `/api/products-checkout/${token}`;
  await send(`${cart}/set-b2b-po-number`, { poNumber });
  await send(`${cart}/set-b2b-payment`, { gateway: "ACH_COD", type: "COD" });
  await send(`${cart}/complete-b2b-checkout`, { selectedPayment: { type: "COD" } });
  let order: { id: string; number: string } | null = null;
  await expect
    .poll(async () => {
      const answer = await page.request.get(`/v1/placements/${token}`, { headers });
      order = ((await answer.json()) as { view: { order: typeof order } }).view.order;
      return order !== null;
    })
    .toBe(true);
  if (!order) throw new Error("no order");
  return order;
}
