import type { QueryClient } from "@tanstack/react-query";
import { answered, client } from "~/shared/api/client";
import { type Problem, problemOf } from "~/shared/api/errors";
import { newKey } from "~/shared/api/idempotency";
import { reloadBusiness } from "~/shared/business";
import { askForBusiness } from "~/shared/session/ask-business";
import { businessOf, session } from "~/shared/session/session";
import { loadWork } from "~/shared/session/work";
import { vehicleValue } from "~/shared/vehicles/address";
import { heldToken, inTurn, keepCart } from "./keep";
import { askForCart, type Cart } from "./queries";
import { setStaleCart } from "./stale";
import { keepWaiting, type Pieces, takeWaiting } from "./waiting";

/** What became of it: in the cart, or what must be done first. */
export type Added = "added" | "sign-in" | "business" | "merge";

/** Puts articles into the present cart, which the first one makes; all are for the vehicle of the first. Throws the Problem of a refusal. */
export async function addToCart(
  cache: QueryClient,
  lines: readonly Pieces[],
  key = newKey(),
): Promise<Added> {
  const became = await inTurn(() => add(cache, lines, key));
  // The page has to know the newer one to ask about it; the changes that come next do not wait for that.
  if (became === "merge") await askForCart(cache);
  return became;
}

/** Adds what waited for a sign-in or for a business. Answers how many articles, if any. Throws the Problem of a refusal. */
export async function addWaiting(cache: QueryClient): Promise<number> {
  const forEach = new Map<string, Pieces[]>();
  for (const one of takeWaiting())
    forEach.set(vehicleFor(one), [...(forEach.get(vehicleFor(one)) ?? []), one]);
  const added = await Promise.allSettled(
    [...forEach.values()].map(async (lines) =>
      (await addToCart(cache, lines)) === "added" ? lines.length : 0,
    ),
  );
  let count = 0;
  for (const one of added) {
    if (one.status === "rejected") throw one.reason;
    count += one.value;
  }
  return count;
}

/** Waits beside what waits already. An article that is asked for again, while nothing is in a cart, is asked for anew. */
function wait(lines: readonly Pieces[]): void {
  const isAnew = (one: Pieces) =>
    lines.some((line) => line.variantId === one.variantId && vehicleFor(line) === vehicleFor(one));
  keepWaiting([...takeWaiting().filter((one) => !isAnew(one)), ...lines]);
}

const vehicleFor = ({ vehicle }: Pieces) => (vehicle ? vehicleValue(vehicle) : "");

/** The cart that was refused as put away: what is added before the page knows the newer one is for that. */
let putAway: string | undefined;

async function add(cache: QueryClient, lines: readonly Pieces[], key: string): Promise<Added> {
  if (session().state !== "signed-in") {
    wait(lines);
    return "sign-in";
  }
  const held = heldToken(cache);
  const token = held === putAway ? undefined : held;
  try {
    await keepCart(cache, await send(token, lines, key));
    return "added";
  } catch (cause) {
    return whatFirst(cache, problemOf(cause), token, lines, key);
  }
}

async function whatFirst(
  cache: QueryClient,
  problem: Problem,
  token: string | undefined,
  lines: readonly Pieces[],
  key: string,
): Promise<Added> {
  switch (problem.code) {
    case "business_needed":
      wait(lines);
      askForBusiness();
      return "business";
    case "stale_cart":
      if (token) {
        setStaleCart({ token, lines });
        putAway = token;
      }
      return "merge";
    case "cart_missing":
      if (await isOfAnotherBusiness()) throw problem;
      // The cart that this page knew has ended.
      await keepCart(cache, await send(undefined, lines, key));
      return "added";
    case "idempotency_key_reused":
      await askForCart(cache); // which may hold it already
      throw problem;
    default:
      throw problem;
  }
}

/** Whether another business was chosen elsewhere, of which this page has not heard: then it follows, and nothing is added there. */
async function isOfAnotherBusiness(): Promise<boolean> {
  const before = businessOf(session());
  await loadWork();
  const isOther = businessOf(session()) !== before;
  if (isOther) void reloadBusiness(); // not waited for: what it adds waits for its turn
  return isOther;
}

function send(token: string | undefined, lines: readonly Pieces[], key: string): Promise<Cart> {
  const headers = { "Idempotency-Key": key };
  const body = {
    lines: lines.map(({ variantId, quantity }) => ({ variantId, quantity })),
    vehicle: lines[0]?.vehicle ?? null,
  };
  return answered(
    token
      ? client.POST("/api/products-checkout/{token}/add-lines", {
          params: { path: { token } },
          body,
          headers,
        })
      : client.POST("/api/products-checkout/create-b2b", {
          body: { ...body, startNew: false },
          headers,
        }),
  );
}
