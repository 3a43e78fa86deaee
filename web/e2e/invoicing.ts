import { expect, type Page } from "@playwright/test";
import { PASSWORD } from "./stack";

const SIMULATORS = process.env.E2E_SIMULATORS_URL ?? "http://127.0.0.1:9000";

/** The ERP issues it: told by its webhook, it is in the portal a moment later. */
export async function issue(kind: "invoice" | "credit_memo", document: Record<string, unknown>) {
  const answer = await fetch(`${SIMULATORS}/erp/_documents`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ kind, document }),
  });
  expect(answer.ok, await answer.text()).toBe(true);
}

export async function businessOf(page: Page, person: { email: string }): Promise<string> {
  const answer = await page.request.post("/v1/auth/sign-in", {
    data: { username: person.email, password: PASSWORD },
  });
  return ((await answer.json()) as { user: { partner_code: string } }).user.partner_code;
}

export const day = (from: number) =>
  new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10);

/** An invoice of 100.00, some days old, with 2.00 off for ten days; what it ends in says how the ERP takes a payment of it. */
export async function anInvoice(business: string, number: string, age = 1) {
  await issue("invoice", {
    number,
    partner_code: business,
    create_date: day(-age),
    due_date: day(20),
    subtotal: 100,
    freight: 0,
    tax: 0,
    total: 100,
    paid: 0,
    payoff: 98,
    early_pay: [{ number_of_days: 10, percent: 2 }],
    lines: [{ sku: "SKU-1", name: "Thing", quantity: 1, unit_price: 100, total: 100 }],
  });
}

export const rowOf = (page: Page, number: string) =>
  page.getByRole("row").filter({ hasText: number });
export const boxOf = (page: Page, number: string) =>
  page.getByRole("checkbox", { name: `Select ${number}`, exact: true });

/** The list with these alone: they are there a moment after they were issued. */
export async function shown(page: Page, term: string, count = 1) {
  await expect(async () => {
    await page.goto(`/invoice?s=${term}&rows=30`);
    await expect(page.getByRole("checkbox")).toHaveCount(count, { timeout: 2_000 });
  }).toPass({ timeout: 30_000 });
}
