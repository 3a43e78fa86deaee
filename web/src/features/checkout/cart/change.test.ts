import { i18n, type MessageDescriptor } from "@lingui/core";
import { QueryClient } from "@tanstack/react-query";
import { renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { clearAlerts, useAlerts } from "~/shared/alerts/alerts";
import { keepCart } from "~/shared/cart/keep";
import { type Cart, type CartLine, cartQuery, latestCartQuery } from "~/shared/cart/queries";
import { aCart, aLine } from "~/testing/shop/a-cart";
import { addBack, changed, changeQuantity, putTogether, setVehicle } from "./change";

const SIREN = aLine({ id: "v1" });
const cart = aCart({ rev: 5, lines: [SIREN] });
let cache: QueryClient;
let answers: ((rev: number, lines?: CartLine[]) => void)[];

beforeEach(async () => {
  cache = new QueryClient();
  await keepCart(cache, cart);
  answers = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(
    () =>
      new Promise((answer) => {
        answers.push((rev, lines = [SIREN]) => answer(Response.json(aCart({ rev, lines }))));
      }),
  );
});

afterEach(() => {
  vi.restoreAllMocks();
  clearAlerts();
});

const told = () => renderHook(useAlerts).result.current.length;
const asked = (count: number) => vi.waitFor(() => expect(answers).toHaveLength(count));
const shown = () => cache.getQueryData(cartQuery(cart.token).queryKey);

test("changes go one after the other, and no own one is called somebody else's", async () => {
  const first = changeQuantity(cache, cart, "v1", 2, "a");
  const second = changed(cache, () => setVehicle(cart, ["v1"], null, "b"), cart);
  await asked(1);
  answers[0]?.(6);
  await first;
  await asked(2);
  answers[1]?.(7);
  await second;
  expect(shown()?.rev).toBe(7);
  expect(told()).toBe(0);
});

test("a change that somebody else made in between is told", async () => {
  const change = changeQuantity(cache, cart, "v1", 2, "a");
  await asked(1);
  answers[0]?.(7);
  await change;
  expect(told()).toBe(1);
});

test.each([
  [1, "1 was left out."],
  [3, "3 were left out."],
])(
  "%i pieces of an earlier cart that the limit of a line leaves out are told",
  async (left, said) => {
    const together = putTogether(cache, cart, { token: "earlier", quantity: left }, "a");
    await asked(1);
    answers[0]?.(6);
    await together;
    const [alert] = renderHook(useAlerts).result.current;
    expect(i18n._(alert?.content[0] as MessageDescriptor)).toContain(said);
  },
);

test("a refusal does not hold up the next change", async () => {
  const refused = changed(cache, () => Promise.reject(new Error("away")));
  const next = changeQuantity(cache, cart, "v1", 2, "a");
  await expect(refused).rejects.toThrow();
  await asked(1);
  answers[0]?.(6);
  await next;
  expect(shown()?.rev).toBe(6);
});

test("a line that is taken out before its turn is let be", async () => {
  const removed = changed(cache, () => setVehicle(cart, ["v1"], null, "a"), cart);
  const late = changeQuantity(cache, cart, "v1", 2, "b");
  await asked(1);
  answers[0]?.(6, []);
  await removed;
  await late;
  expect(answers).toHaveLength(1);
});

test("an answer that comes late takes nothing back", async () => {
  let come = (_: Cart) => {};
  const queryFn = () => new Promise<Cart>((answer) => (come = answer));
  const asking = cache.prefetchQuery({ ...cartQuery(cart.token), queryFn });
  await keepCart(cache, aCart({ rev: 9, quantity: 4 }));
  await keepCart(cache, aCart({ rev: 8, quantity: 3 }));
  come(aCart({ rev: 6 }));
  await asking;
  expect(shown()?.rev).toBe(9);
  expect(cache.getQueryData(latestCartQuery.queryKey)?.quantity).toBe(4);
});

test("nor does one that told which cart is the present one", async () => {
  let come = (_: { token: string; quantity: number }) => {};
  const queryFn = () =>
    new Promise<{ token: string; quantity: number }>((answer) => (come = answer));
  const asking = cache.prefetchQuery({ ...latestCartQuery, queryFn });
  await keepCart(cache, aCart({ rev: 9, quantity: 4 }));
  come({ token: "older", quantity: 1 });
  await asking;
  expect(cache.getQueryData(latestCartQuery.queryKey)?.quantity).toBe(4);
});

test("what was taken out comes back for the vehicle that it was for", async () => {
  const vehicle = { id: 4, year: 2022, makeId: 1, modelId: 2, name: "2022 Toyota Camry" };
  void addBack(cart.token, aLine({ id: "v1", quantity: 3, vehicle }), "a");
  await asked(1);
  const request = vi.mocked(fetch).mock.calls[0]?.[0] as Request;
  expect(await request.json()).toEqual({
    lines: [{ variantId: "v1", quantity: 3 }],
    vehicle: { year: 2022, makeId: 1, modelId: 2 },
  });
});
