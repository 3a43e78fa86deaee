import { QueryClient } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { keyOf } from "~/shared/api/operation";
import { areasOnBusiness, hangsOnBusiness, reloadBusiness, resetBusiness } from "~/shared/business";
import { latestCartQuery } from "~/shared/cart/queries";
import { methodsQuery } from "~/shared/payments/queries";
import { siteQuery } from "~/shared/session/site";
import { registerBusinessAreas } from "./business-areas";

const cache = new QueryClient();
const others = areasOnBusiness();
registerBusinessAreas(cache);

test("these areas hang on the business", () => {
  expect(areasOnBusiness().filter((area) => !others.includes(area))).toEqual([
    "activations",
    "cart",
    "everything else on screen",
    "payment-methods",
  ]);
});

test("a change of business empties what is of a business and keeps what is everybody's", async () => {
  const gone = [
    keyOf("get", "/v1/activations", { params: { query: { scope: "mine" } } }),
    keyOf("get", "/v1/activations/{id}/colleagues", { params: { path: { id: "a" } } }),
    latestCartQuery.queryKey,
    methodsQuery.queryKey,
  ];
  const kept = [
    siteQuery.queryKey,
    keyOf("post", "/api/business-partners", { body: { search: "" } }),
    keyOf("get", "/content/v1/pages/{id}", { params: { path: { id: "1" } } }),
  ];
  for (const key of [...gone, ...kept]) cache.setQueryData(key, [1]);
  resetBusiness();
  for (const key of gone) expect(cache.getQueryData(key), String(key)).toBeUndefined();
  for (const key of kept) expect(cache.getQueryData(key), String(key)).toEqual([1]);
});

test("an area that fails does not keep the others from loading", async () => {
  const reload = vi.fn();
  hangsOnBusiness("a failing one", {
    reload: () => Promise.reject(new Error("down")),
    reset: vi.fn(),
  });
  hangsOnBusiness("one after it", { reload, reset: vi.fn() });
  await reloadBusiness();
  expect(reload).toHaveBeenCalledOnce();
  expect(() => hangsOnBusiness("one after it", { reload, reset: vi.fn() })).toThrow(/twice/);
});
