import { randomUUID } from "node:crypto";
import { type APIResponse, expect, type Page, test } from "@playwright/test";
import { ADA } from "../e2e/people";
import { aDevice, control, PASSWORD, simDigits } from "../e2e/stack";
import { ADDRESSES, type Address, filled } from "./addresses";

type Person = { email: string };

/** Signed in and remembered; answers the access token. */
export async function signInAs(page: Page, { email }: Person): Promise<string> {
  const data = { username: email, password: PASSWORD, remember_me: true };
  const signedIn = await page.request.post("/v1/auth/sign-in", { data });
  return (await held<{ access_token: string }>(signedIn)).access_token;
}

type Listed<One> = { results: One[] };
type Send = <Answer>(path: string, data: object, key?: string) => Promise<Answer>;
type Read = <Answer>(path: string) => Promise<Answer>;

/** The owner's dealer, and another one that they may ask for a visit. */
const [HARBOUR, PRAIRIE] = ["harbour", "prairie"];

/** One of each that an address names, as this owner of Harbour Car Audio and the operators see them. */
export async function samples(page: Page, owner: Person): Promise<Record<string, string>> {
  const [send, read] = await callsOf(page, owner);
  const { key } = aDevice();
  const begun = await send<{ id: string }>("/v1/activations", {
    device_key: key,
    type: "new-device",
  });
  const orders = await send<Listed<{ id: string }>>("/api/order-transactions", {});
  const search = await send<Listed<{ id: string }>>("/api/search-products", {});
  const rewarded = await read<Listed<{ activation_id: string }>>(
    `/v1/dealers/${HARBOUR}/device-rewards?limit=1`,
  );
  const completed = rewarded.results[0]?.activation_id;
  const handout = await send<{ url: string }>(`/v1/activations/${completed}/handout/link`, {});
  const invoices = await send<Listed<{ number: string }>>("/api/invoices", { status: ["open"] });
  const invoice = invoices.results[0]?.number;
  const payLink = await send<{ url: string }>(
    "/v1/pay-links",
    { invoice, made_for: "Nadia Roy" },
    `looked-at-${invoice}`, // the same link whenever it is looked at
  );
  const found = {
    activation: begun.id,
    device: key,
    order: orders.results[0]?.id,
    product: search.results[0]?.id,
    completed,
    handout: new URL(handout.url).hash.slice(1),
    payLink: new URL(payLink.url).hash.slice(1),
    visit: await aVisit(send, read),
    case: await aCase(page),
  };
  for (const [name, id] of Object.entries(found)) if (!id) throw new Error(`there is no ${name}`);
  return found as Record<string, string>;
}

/** The one that the owner asked for before, as a day has few; else a new one. */
async function aVisit(send: Send, read: Read): Promise<string | undefined> {
  const [held] = (await read<Listed<{ id: string }>>("/v1/visits?of=mine")).results;
  if (held) return held.id;
  const { key } = aDevice("270", "DR5400");
  await control({ device_key: key, owner_dealer_id: PRAIRIE });
  const asked = await send<{ id: string }>("/v1/visits", {
    device_key: key,
    iccid_last_digits: await simDigits(key),
    reason: "The siren",
  });
  return asked.id;
}

async function aCase(page: Page): Promise<string | undefined> {
  const [, read] = await callsOf(page, ADA);
  const { results } = await read<Listed<{ id: string }>>("/v1/operations/cases?limit=1");
  return results[0]?.id;
}

/** Calls as this person. */
async function callsOf(page: Page, person: Person): Promise<[Send, Read]> {
  const headers = { Authorization: `Bearer ${await signInAs(page, person)}` };
  const send: Send = async (path, data, key = randomUUID()) =>
    held(await page.request.post(path, { headers: { ...headers, "Idempotency-Key": key }, data }));
  return [send, async (path) => held(await page.request.get(path, { headers }))];
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
  const [is, meant] = [new URL(page.url()).pathname, lands ?? address.split(/[?#]/)[0]];
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
