import type { QueryClient } from "@tanstack/react-query";
import { answered, client } from "~/shared/api/client";
import { type Problem, problemOf } from "~/shared/api/errors";
import { newKey } from "~/shared/api/idempotency";
import { askForBusiness } from "~/shared/session/ask-business";
import { session } from "~/shared/session/session";
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

/** Adds what waited for a sign-in or for a business. Answers how many articles, if any. */
export async function addWaiting(cache: QueryClient): Promise<number> {
  const lines = takeWaiting();
  if (!lines.length) return 0;
  return (await addToCart(cache, lines)) === "added" ? lines.length : 0;
}

/** The cart that was refused as put away: what is added before the page knows the newer one is for that. */
let putAway: string | undefined;

async function add(cache: QueryClient, lines: readonly Pieces[], key: string): Promise<Added> {
  if (session().state !== "signed-in") {
    keepWaiting(lines);
    return "sign-in";
  }
  const held = heldToken(cache);
  const token = held === putAway ? undefined : held;
  try {
    await keepCart(cache, await send(token, lines, key));
    return "added";
  } catch (cause) {
    return whatFirst(cache, problemOf(cause), token, lines);
  }
}

async function whatFirst(
  cache: QueryClient,
  problem: Problem,
  token: string | undefined,
  lines: readonly Pieces[],
): Promise<Added> {
  switch (problem.code) {
    case "business_needed":
      keepWaiting(lines);
      askForBusiness();
      return "business";
    case "stale_cart":
      if (token) {
        setStaleCart({ token, lines });
        putAway = token;
      }
      return "merge";
    case "cart_missing":
      // The cart that this page knew belongs to the business that was chosen before.
      await keepCart(cache, await send(undefined, lines, newKey()));
      return "added";
    default:
      throw problem;
  }
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
