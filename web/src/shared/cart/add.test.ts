import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { amend, begin, end, session, workOf } from "~/shared/session/session";
import { aPerson, aRep, aWork } from "~/testing/a-person";
import { aCart } from "~/testing/shop/a-cart";
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
  sessionStorage.clear();
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

test("what was added under this key to another cart is refused, and the cart of now is asked for", async () => {
  const asked = refused("idempotency_key_reused");
  const cache = new QueryClient();
  const observer = new QueryObserver(cache, { ...latestCartQuery, staleTime: Infinity });
  await keepCart(cache, aCart({ token: "newer" }));
  const leave = observer.subscribe(() => undefined);
  await expect(addToCart(cache, [SIREN], "the key")).rejects.toThrow();
  expect(asked.mock.calls.map(([request]) => (request as Request).url)).toContainEqual(
    expect.stringMatching("/last-b2b-token"),
  );
  leave();
});

test.each([
  ["an end of the cart itself begins another one", "N1001", ["/create-b2b"]],
  ["nothing is added to the cart of a business that was chosen elsewhere", "N2000", []],
])("a cart that is not there any more: %s", async (_, code, added) => {
  const work = aWork(true);
  const workFor = (now: string) => ({
    ...work,
    business: work.business && { ...work.business, code: now },
  });
  begin(aRep(), "token");
  amend({ work: workFor("N1001") });
  const asked: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    const { pathname } = new URL((request as Request).url);
    if (pathname.endsWith("/v1/auth/user"))
      return Response.json({ user: aRep(), ...workFor(code) });
    if (pathname.endsWith("/add-lines"))
      return Response.json({ code: "cart_missing" }, { status: 404 });
    asked.push(pathname);
    expect((request as Request).headers.get("Idempotency-Key")).toBe("the key");
    return Response.json(aCart({ token: "another" }));
  });
  const cache = new QueryClient();
  await keepCart(cache, aCart({ token: "of N1001" }));
  const became = await addToCart(cache, [SIREN], "the key").catch(({ code }) => code);
  expect(became).toBe(added.length ? "added" : "cart_missing");
  expect(asked).toEqual(added.map((path) => expect.stringContaining(path)));
  expect(workOf(session())?.business?.code).toBe(code);
});

test("what a visitor wanted one after the other is all added, each for its vehicle", async () => {
  end();
  const cache = new QueryClient();
  const horn = { variantId: "v2", quantity: 1, name: "Horn" };
  const remote = { variantId: "v3", quantity: 1, name: "Remote" };
  for (const one of [SIREN, horn, remote, { ...horn, quantity: 3 }])
    expect(await addToCart(cache, [one])).toBe("sign-in");
  begin(aPerson({ purchasing_rights: true }), "token");
  const added: unknown[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    added.push(await (request as Request).json());
    return Response.json(aCart());
  });
  expect(await addWaiting(cache)).toBe(3);
  expect(added).toEqual([
    expect.objectContaining({
      lines: [{ variantId: "v1", quantity: 2 }],
      vehicle: SIREN.vehicle,
    }),
    expect.objectContaining({
      lines: [
        { variantId: "v3", quantity: 1 },
        { variantId: "v2", quantity: 3 },
      ],
      vehicle: null,
    }),
  ]);
  expect(await addWaiting(cache)).toBe(0);
});
