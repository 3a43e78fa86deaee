import { msg, plural } from "@lingui/core/macro";
import type { QueryClient } from "@tanstack/react-query";
import { tell } from "~/shared/alerts/alerts";
import { answered, client } from "~/shared/api/client";
import { problemOf } from "~/shared/api/errors";
import { inTurn, keepCart } from "~/shared/cart/keep";
import { MOST_PIECES } from "~/shared/cart/quantity-field";
import { askForCart, type Cart, type CartLine, cartQuery } from "~/shared/cart/queries";
import type { VehicleKey } from "~/shared/vehicles/address";

type Call = Promise<{ data?: Cart; error?: unknown; response: Response }>;

const once = (key: string) => ({ "Idempotency-Key": key });

const setQuantity = (cart: Cart, lineId: string, quantity: number, key: string): Call =>
  client.POST("/api/products-checkout/{token}/update-lines", {
    params: { path: { token: cart.token } },
    body: { lines: [{ lineId, quantity }] },
    headers: once(key),
  });

export const removeLine = (cart: Cart, lineId: string, key: string): Call =>
  client.POST("/api/products-checkout/{token}/delete-lines", {
    params: { path: { token: cart.token } },
    body: { lineId },
    headers: once(key),
  });

export function addBack(token: string, line: CartLine, key: string): Call {
  const { variant, quantity, vehicle } = line;
  return client.POST("/api/products-checkout/{token}/add-lines", {
    params: { path: { token } },
    body: {
      lines: [{ variantId: variant.id, quantity }],
      vehicle: vehicle && {
        year: vehicle.year,
        makeId: vehicle.makeId,
        modelId: vehicle.modelId,
      },
    },
    headers: once(key),
  });
}

export const startNew = (key: string): Call =>
  client.POST("/api/products-checkout/create-b2b", {
    body: { lines: [], startNew: true },
    headers: once(key),
  });

export const setVehicle = (
  cart: Cart,
  lineIds: string[],
  vehicle: VehicleKey | null,
  key: string,
): Call =>
  client.POST("/v1/carts/{token}/vehicle", {
    params: { path: { token: cart.token } },
    body: { lineIds, vehicle },
    headers: once(key),
  });

const bringHere = (token: string, from: string, key: string): Call =>
  client.POST("/v1/carts/{token}/merge", {
    params: { path: { token } },
    body: { from_token: from },
    headers: once(key),
  });

/** Puts the lines of an earlier cart into this one, and says how many pieces the limit of a line left out. */
export async function putTogether(
  cache: QueryClient,
  cart: Cart,
  from: { token: string; quantity: number },
  key: string,
): Promise<void> {
  const now = await changed(cache, () => bringHere(cart.token, from.token, key));
  const left = cart.quantity + from.quantity - now.quantity;
  if (left > 0)
    tell({
      content: msg`A line holds at most ${MOST_PIECES} pieces: ${plural(left, { one: "# was left out.", other: "# were left out." })}`,
      type: "info",
    });
}

/** Sets how many a line holds; one that was taken out by its turn stays out. */
export function changeQuantity(
  cache: QueryClient,
  cart: Cart,
  lineId: string,
  quantity: number,
  key: string,
): Promise<unknown> {
  return inTurn(async () => {
    if (shown(cache, cart.token)?.lines.some(({ id }) => id === lineId))
      await made(cache, () => setQuantity(cart, lineId, quantity, key), cart.token);
  });
}

/**
 * Makes a change in its turn and shows the cart as it is then; `cart` is the one that was looked at. Throws the Problem
 * of a refusal, after the cart has been asked for anew.
 */
export function changed(cache: QueryClient, call: () => Call, cart?: Cart): Promise<Cart> {
  return inTurn(() => made(cache, call, cart?.token));
}

async function made(cache: QueryClient, call: () => Call, token?: string): Promise<Cart> {
  try {
    const cart = await answered(call());
    const before = token === cart.token ? shown(cache, token) : undefined;
    if (before && cart.rev > before.rev + 1) {
      tell({
        content: msg`This cart was changed elsewhere, too. Here is what it holds now.`,
        type: "info",
      });
    }
    await keepCart(cache, cart);
    return cart;
  } catch (cause) {
    void askForCart(cache);
    throw problemOf(cause);
  }
}

const shown = (cache: QueryClient, token: string) => cache.getQueryData(cartQuery(token).queryKey);
