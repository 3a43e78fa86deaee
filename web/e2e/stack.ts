/** The running portal that the journeys use: its stand-ins, its processes, its people. */
import { fileURLToPath } from "node:url";
import { counter } from "./numbers";

const SIMULATORS = process.env.E2E_SIMULATORS_URL ?? "http://127.0.0.1:9000";
const CONTROL = process.env.E2E_STACK_CONTROL;

export const PASSWORD = process.env.E2E_PASSWORD ?? "Turnkey-2026!";

/** Seeded: two of one dealer, one of another. */
export const IVAN = { email: "ivan.petrov@turnkey.example", first: "Ivan", name: "Ivan Petrov" };
export const CHLOE = { email: "chloe.tremblay@turnkey.example", first: "Chloe", name: "Chloe" };
export const MARCUS = { email: "marcus.okafor@turnkey.example", first: "Marcus" };

/** By hand, against a portal that goes on running, numbers are kept beside what is installed. */
const NUMBERS =
  process.env.E2E_NUMBERS ??
  fileURLToPath(new URL("../node_modules/.cache/journeys", import.meta.url));

/** A number that no journey on this portal has had. */
export const aNumber = counter(NUMBERS);

/** 1000 to 9899: from 990 on the fourth to sixth digit mean something (see simulators/README.md). */
const SERIALS = 8_900;

/**
 * A device nobody has used: three trait digits (see simulators/README.md), four free ones, and one that chooses the
 * controller: 0-7 have option tables, 8 and 9 have none.
 */
export function aDevice(traits = "000", product = "FT-X1", last = "9"): { key: string } {
  const number = aNumber();
  if (number >= SERIALS) throw new Error(`no serial number is left: delete ${NUMBERS}`);
  return { key: `${product}-${traits}${1_000 + number}${last}` };
}

/** What its label says of the SIM, to whoever holds it. */
export async function simDigits(key: string): Promise<string> {
  const label = await (await ok(fetch(`${SIMULATORS}/device-cloud/devices/${key}`))).text();
  const digits = /id="sim">(\d{5})</.exec(label)?.[1];
  if (!digits) throw new Error(`the label of ${key} tells no digits`);
  return digits;
}

/** Changes one device, or the whole network when no device is named. */
export async function control(change: Record<string, unknown>): Promise<void> {
  await ok(
    fetch(`${SIMULATORS}/device-cloud/_control`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(change),
    }),
  );
}

/** How often each operation had an effect on a device. */
export async function effects(key: string): Promise<Record<string, number>> {
  const answer = await ok(fetch(`${SIMULATORS}/device-cloud/_ledger?device_key=${key}`));
  return ((await answer.json()) as { effects: Record<string, number> }).effects;
}

/** kill -9 of a process of the stack, or its start again. */
export async function crash(verb: "kill" | "restart", name: "worker" | "api"): Promise<void> {
  if (!CONTROL)
    throw new Error("E2E_STACK_CONTROL names the address that kills and restarts processes");
  await ok(fetch(`${CONTROL}/${verb}/${name}`, { method: "POST" }));
}

async function ok(asked: Promise<Response>): Promise<Response> {
  const answer = await asked;
  if (!answer.ok)
    throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}
