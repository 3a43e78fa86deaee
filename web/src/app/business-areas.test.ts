import { QueryClient } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { areasOnBusiness, hangsOnBusiness, reloadBusiness, resetBusiness } from "~/shared/business";
import { registerBusinessAreas } from "./business-areas";

const cache = new QueryClient();
registerBusinessAreas(cache);

test("these areas hang on the business", () => {
  expect(areasOnBusiness()).toEqual([
    "activations",
    "cart",
    "everything else on screen",
    "payment-methods",
  ]);
});

test("a change of business empties what is of a business and keeps what is everybody's", async () => {
  cache.setQueryData(["activations", "mine"], [1]);
  cache.setQueryData(["colleagues", "a"], [1]);
  cache.setQueryData(["cart", "latest"], { token: "t", quantity: 3 });
  cache.setQueryData(["payment-methods"], { results: [] });
  cache.setQueryData(["site"], { code: "ca" });
  cache.setQueryData(["partners", ""], [1]);
  resetBusiness();
  expect(cache.getQueryData(["activations", "mine"])).toBeUndefined();
  expect(cache.getQueryData(["colleagues", "a"])).toBeUndefined();
  expect(cache.getQueryData(["cart", "latest"])).toBeUndefined();
  expect(cache.getQueryData(["payment-methods"])).toBeUndefined();
  expect(cache.getQueryData(["site"])).toEqual({ code: "ca" });
  expect(cache.getQueryData(["partners", ""])).toEqual([1]);
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
