import { type APIResponse, expect, type Page, test } from "@playwright/test";
import { aDevice, PASSWORD } from "../e2e/stack";
import { ADDRESSES, type Address, filled } from "./addresses";

type Listed = { results: { id: string }[] };
type Person = { email: string };

/** Signed in and remembered; answers the access token. */
export async function signInAs(page: Page, { email }: Person): Promise<string> {
  const data = { username: email, password: PASSWORD, remember_me: true };
  const signedIn = await page.request.post("/v1/auth/sign-in", { data });
  return (await held<{ access_token: string }>(signedIn)).access_token;
}

/** One of each that an address names, as this owner sees them. */
export async function samples(page: Page, owner: Person): Promise<Record<string, string>> {
  const headers = { Authorization: `Bearer ${await signInAs(page, owner)}` };
  const { key } = aDevice();
  const begun = await page.request.post("/v1/activations", {
    headers: { ...headers, "Idempotency-Key": key },
    data: { device_key: key, type: "new-device" },
  });
  const orders = await page.request.post("/api/order-transactions", { headers, data: {} });
  const search = await page.request.post("/api/search-products", { headers, data: {} });
  const found = {
    activation: (await held<{ id: string }>(begun)).id,
    device: key,
    order: (await held<Listed>(orders)).results[0]?.id,
    product: (await held<Listed>(search)).results[0]?.id,
  };
  for (const [name, id] of Object.entries(found)) if (!id) throw new Error(`there is no ${name}`);
  return found as Record<string, string>;
}

async function held<Answer>(answer: APIResponse): Promise<Answer> {
  if (![200, 202].includes(answer.status()))
    throw new Error(`${answer.url()}: ${answer.status()} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

/** Opens a screen's address; it is that screen, and not the one that somebody who may not see it is shown. */
export async function open(page: Page, path: string, found: Record<string, string>) {
  const { to, lands } = ADDRESSES[path] as Address;
  const address = filled(to, found);
  await page.goto(address);
  await page.getByRole("heading", { level: 1 }).waitFor();
  const [is, meant] = [new URL(page.url()).pathname, lands ?? address.split("?")[0]];
  if (is !== meant) throw new Error(`${address} leads to ${is}`);
}

/** A picture of the whole page in `.screens/<project>/`, once all of it is there. */
export async function take(page: Page, name: string): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.locator("[aria-busy=true], .mantine-Skeleton-root")).toHaveCount(0);
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
  const path = `.screens/${test.info().project.name}/${name}.png`;
  await page.screenshot({ path, fullPage: true, animations: "disabled" });
}
