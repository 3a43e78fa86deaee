import { randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { PASSWORD } from "./stack";

const SIMULATORS = process.env.E2E_SIMULATORS_URL ?? "http://127.0.0.1:9000";

/** Cards of the provider's stand-in (simulators/cards/known.py). */
export const GOOD = "4242424242424242";
export const DECLINED = "4000000000000010";

const ADDRESS = {
  streetAddress1: "1 Dock Street",
  city: "Vancouver",
  state: "BC",
  postalCode: "V6B 1A1",
  countryCode: "CA",
};

/** Saves a card for the person's business by calls, where a journey is not about adding one. The first one is the main one. */
export async function saveCard(page: Page, person: { email: string }, number: string) {
  const signedIn = await page.request.post("/v1/auth/sign-in", {
    data: { username: person.email, password: PASSWORD },
  });
  const { access_token, user } = (await signedIn.json()) as {
    access_token: string;
    user: { partner_code: string };
  };
  const headers = { Authorization: `Bearer ${access_token}`, "Idempotency-Key": randomUUID() };
  const key = await page.request.get(`/api/products-checkout/${user.partner_code}/get-stripe-key`, {
    headers,
  });
  const { detail } = (await key.json()) as { detail: string };
  const card = new URLSearchParams({
    type: "card",
    "card[number]": number,
    "card[exp_month]": "12",
    "card[exp_year]": "2030",
    "card[cvc]": "123",
  });
  const made = await fetch(`${SIMULATORS}/cards/v1/payment_methods`, {
    method: "POST",
    headers: { Authorization: `Bearer ${detail}` },
    body: card,
  });
  const { id } = (await made.json()) as { id: string };
  const saved = await page.request.post("/api/attach-stripe-card-to-user", {
    headers,
    data: { paymentMethodId: id, name: "Plan Buyer", ...ADDRESS },
  });
  expect(saved.status(), await saved.text()).toBeLessThan(300);
}

/** What was taken from a card for a purchase and not given back, in cents. */
export async function takenFor(purchase: string): Promise<number> {
  const answer = await fetch(`${SIMULATORS}/cards/_ledger?flow_id=${purchase}`);
  const { sums } = (await answer.json()) as { sums: { captured?: number; refunded?: number } };
  return (sums.captured ?? 0) - (sums.refunded ?? 0);
}

/** A saved method, also where it stands behind the first three. */
export async function saved(page: Page, name: RegExp) {
  const wanted = page.getByRole("radio", { name });
  const others = page.getByRole("button", { name: /^Others/ });
  await expect(wanted.or(others).first()).toBeVisible();
  if (!(await wanted.isVisible())) await others.click();
  return wanted;
}

/** Chooses it. */
export async function choose(page: Page, name: RegExp) {
  await (await saved(page, name)).check();
}
