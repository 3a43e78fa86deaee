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
