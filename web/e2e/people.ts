import { createHmac } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { aNumber, PASSWORD } from "./stack";

const SIMULATORS = process.env.E2E_SIMULATORS_URL ?? "http://127.0.0.1:9000";

/** Seeded by name. Of the many owners each has another business, so a journey takes some for itself. */
export const owner = (first: string, last: string) => ({
  first,
  email: `${first}.${last}@turnkey.example`.toLowerCase(),
});
const of = owner;

/** Seeded: an owner, an inside and an outside rep, a rep whose businesses cannot be chosen, and more. */
export const OLIVIA = of("Olivia", "Marchand");
export const INES = of("Ines", "Delgado");
export const OWEN = of("Owen", "Clarke");
export const NADIA = of("Nadia", "Roy");
export const UMA = of("Uma", "Fields");
export const PAULA = of("Paula", "Stone");
export const BEA = of("Bea", "Whitfield");
/** Keeps the books of a business, and buys nothing for it. */
export const ANOUK = of("Anouk", "Bergeron");
/** Retired. */
export const RENE = of("Rene", "Caron");
export const NICK = of("Nick", "Farrow");
export const ADA = of("Ada", "Nwosu");

/** An address that nobody has used. */
export function anAddress(): string {
  return `person-${aNumber()}@example.com`;
}

/** A telephone number of North America that nobody has used. Its last digit is none of those that fail (simulators/README.md). */
export function aPhoneNumber(): string {
  return `+1604${2_000_009 + aNumber() * 10}`;
}

/** An address of the net from which nobody has called: the limits of one place are for strangers. */
function aPlace(): string {
  const number = aNumber();
  return `198.18.${Math.floor(number / 250)}.${1 + (number % 250)}`;
}

/** An installer whom no other journey knows, of Harbour Car Audio or of another owner's business. */
export async function aNewcomer(page: Page, owner = OLIVIA) {
  const person = { email: anAddress(), first: "Noor", password: "Garage-Door-41!" };
  await invite(page, person.email, owner);
  const link = await linkIn(person.email, "/accept-invite");
  const names = { first_name: person.first, last_name: "Haddad" };
  const token = new URLSearchParams(link.split("?")[1]).get("token");
  const headers = { "X-Forwarded-For": aPlace() };
  const accepted = await page.request.post("/v1/auth/invitations/accept", {
    headers,
    data: { token, ...names },
  });
  const { registration_token } = (await accepted.json()) as { registration_token: string };
  const registered = await page.request.post("/v1/user/set-password", {
    headers,
    data: {
      token: registration_token,
      password: person.password,
      confirm_password: person.password,
    },
  });
  expect(registered.status(), await registered.text()).toBe(204);
  return person;
}

/** A newcomer whom the owner lets buy, with a cart that nobody else fills. */
export async function aBuyer(page: Page, owner = OLIVIA) {
  const person = await aNewcomer(page, owner);
  const { user } = await identityOf(page, person.email, person.password);
  const { access_token } = await identityOf(page, owner.email);
  const changed = await page.request.patch(`/v1/installer/${user.id}`, {
    headers: { Authorization: `Bearer ${access_token}` },
    data: { is_purchaser: true },
  });
  expect(changed.ok(), await changed.text()).toBe(true);
  return person;
}

/** The newest message to an address or a phone number that matches, once it is there. */
export async function message(to: string, wanted: RegExp): Promise<string> {
  let found = "";
  await expect
    .poll(async () => {
      const answer = await fetch(`${SIMULATORS}/messenger/_outbox?to=${encodeURIComponent(to)}`);
      const { results } = (await answer.json()) as { results: { text: string }[] };
      found = results.findLast(({ text }) => wanted.test(text))?.text ?? "";
      return found;
    }, `a message to ${to}`)
    .not.toBe("");
  return found;
}

/** How many messages an address has got. */
export async function mailsTo(to: string): Promise<number> {
  const answer = await fetch(`${SIMULATORS}/messenger/_outbox?to=${encodeURIComponent(to)}`);
  return ((await answer.json()) as { results: unknown[] }).results.length;
}

/** A path of the portal that stands in a message. */
export async function linkIn(to: string, path: string): Promise<string> {
  const text = await message(to, new RegExp(path));
  const link = new RegExp(`${path}\\S*`).exec(text)?.[0];
  if (!link) throw new Error(`no ${path} in: ${text}`);
  return link;
}

export async function codeIn(to: string, before = ""): Promise<string> {
  let code = before;
  await expect
    .poll(async () => {
      code = /\b(\d{6})\b/.exec(await message(to, /\d{6}/))?.[1] ?? before;
      return code;
    })
    .not.toBe(before);
  return code;
}

const STEP = 30_000;
const TIME_TO_TYPE = 12_000;

/**
 * What an authenticator app shows for this secret, `steps` half-minutes from now. Near the end of one the next is
 * waited for, as a person would.
 */
export async function appCode(secret: string, steps = 0): Promise<string> {
  const left = STEP - (Date.now() % STEP);
  if (left < TIME_TO_TYPE) await new Promise((go) => setTimeout(go, left));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / STEP) + steps));
  const digest = createHmac("sha1", fromBase32(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

function fromBase32(text: string): Buffer {
  const bits = [...text.replace(/[\s=]/g, "")]
    .map((sign) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(sign).toString(2).padStart(5, "0"))
    .join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** Fills the login page and sends it, whatever comes of it. */
export async function tryToSignIn(
  page: Page,
  email: string,
  { password = PASSWORD, remember = false } = {},
) {
  await page.getByLabel("Email").fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  if (remember) await page.getByLabel("Remember me on this device").check();
  await page.getByRole("button", { name: "Log in" }).click();
}

/** An invitation by an owner, as the API takes it. */
export async function invite(page: Page, email: string, owner = OLIVIA): Promise<void> {
  const { access_token } = await identityOf(page, owner.email);
  const invited = await page.request.post("/v1/user/invite", {
    headers: { Authorization: `Bearer ${access_token}` },
    data: { email, user_type: "installer" },
  });
  expect(invited.status(), await invited.text()).toBe(200);
}

async function identityOf(page: Page, username: string, password = PASSWORD) {
  const signedIn = await page.request.post("/v1/auth/sign-in", { data: { username, password } });
  expect(signedIn.status(), await signedIn.text()).toBe(200);
  return (await signedIn.json()) as { access_token: string; user: { id: string } };
}
