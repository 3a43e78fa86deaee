import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { begin, end } from "~/shared/session/session";
import { aCart } from "~/testing/a-cart";
import { aPerson } from "~/testing/a-person";
import { addToCart, addWaiting } from "./add";
import { keepCart } from "./keep";
import { latestCartQuery } from "./queries";
import { setStaleCart, useStaleCart } from "./stale";

const SIREN = {
  variantId: "v1",
  quantity: 2,
  name: "Siren",
  vehicle: { year: 2022, makeId: 1, modelId: 2 },
};

beforeEach(() => begin(aPerson({ purchasing_rights: true }), "token"));

afterEach(() => {
  vi.restoreAllMocks();
  setStaleCart(undefined);
  end();
});

function refused(code: string) {
  const body = { code, detail: code, status: 409 };
  return vi
    .spyOn(globalThis, "fetch")
    .mockImplementationOnce(async () => Response.json(body, { status: 409 }))
    .mockImplementation(async () => Response.json(aCart()));
}

test("what waits for a business is added for its vehicle", async () => {
  const asked = refused("business_needed");
  const cache = new QueryClient();
  expect(await addToCart(cache, [SIREN])).toBe("business");
  expect(await addWaiting(cache)).toBe(1);
  const request = asked.mock.calls[1]?.[0] as Request;
  expect(await request.json()).toMatchObject({ vehicle: SIREN.vehicle });
});

test("what a cart that was put away did not take is kept with its vehicle", async () => {
  refused("stale_cart");
  const cache = new QueryClient();
  await keepCart(cache, aCart({ token: "older" }));
  expect(await addToCart(cache, [SIREN])).toBe("merge");
  expect(renderHook(useStaleCart).result.current).toEqual({ token: "older", lines: [SIREN] });
});

test("what is added after a refusal goes into the newer cart, and waits for no page to know it", async () => {
  let answer = (_: Response) => {};
  const asked = vi
    .spyOn(globalThis, "fetch")
    .mockImplementationOnce(async () => Response.json({ code: "stale_cart" }, { status: 409 }))
    .mockImplementationOnce(() => new Promise((come) => (answer = come)))
    .mockImplementation(async () => Response.json(aCart({ token: "newer", quantity: 5 })));
  const cache = new QueryClient();
  await keepCart(cache, aCart({ token: "put-away", quantity: 3 }));
  const observer = new QueryObserver(cache, { ...latestCartQuery, staleTime: Infinity });
  const leave = observer.subscribe(() => undefined);

  const first = addToCart(cache, [SIREN]);
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(2));
  expect(await addToCart(cache, [{ ...SIREN, name: "Horn" }])).toBe("added");
  const urls = asked.mock.calls.map(([request]) => (request as Request).url);
  expect(urls[2]).toMatch("/create-b2b");
  answer(Response.json({ token: "put-away", quantity: 3 })); // it was asked for before
  expect(await first).toBe("merge");
  expect(observer.getCurrentResult().data).toEqual({ token: "newer", quantity: 5 });
  expect(renderHook(useStaleCart).result.current?.lines).toEqual([SIREN]);
  leave();
});
