import { QueryClient, type QueryFilters } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { anyOf, asking, askingPages, below, keyOf } from "./operation";

afterEach(() => {
  vi.restoreAllMocks();
});

const orderOf = (id: string) => asking("get", "/v1/orders/{id}", { params: { path: { id } } });

/** A cache that holds the answers of these keys; says which a filter meets. */
function holding(...keys: readonly (readonly unknown[])[]) {
  const cache = new QueryClient();
  for (const key of keys) cache.setQueryData(key, 1);
  return (filters: QueryFilters) => cache.getQueryCache().findAll(filters).length;
}

test("the same question has the same key, another one another", () => {
  expect(orderOf("7").queryKey).toEqual(orderOf("7").queryKey);
  expect(orderOf("7").queryKey).not.toEqual(orderOf("8").queryKey);
  expect(keyOf("get", "/v1/activations")).not.toEqual(keyOf("get", "/v1/devices"));
});

test("an operation alone, and a part of what is said, is the beginning of a key", () => {
  const runs = (device_key: string, digits?: string) =>
    keyOf("get", "/v1/firmware", { params: { query: { device_key, iccid_last_digits: digits } } });
  const met = holding(runs("FT-X1-1"), runs("FT-X1-1", "12345"), runs("FT-X1-2"));
  expect(met({ queryKey: keyOf("get", "/v1/firmware") })).toBe(3);
  expect(met({ queryKey: runs("FT-X1-1") })).toBe(2);
  expect(met({ queryKey: keyOf("get", "/v1/firmware/offers") })).toBe(0);
});

test("filters meet the operations of these keys, or those below a path", () => {
  const met = holding(
    keyOf("get", "/v1/operations"),
    keyOf("get", "/v1/operations/runs"),
    keyOf("get", "/v1/orders/{id}"),
  );
  expect(met({ predicate: below("/v1/operations") })).toBe(2);
  expect(met({ predicate: below("/v1/oper") })).toBe(0);
  expect(met({ predicate: anyOf(keyOf("get", "/v1/orders/{id}"), ["no"]) })).toBe(1);
});

test("the call says what the key says", async () => {
  const asked: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    asked.push((request as Request).url);
    return Response.json({});
  });
  await orderOf("7").queryFn();
  const devices = askingPages("get", "/v1/devices", (cursor) => ({
    params: { query: { limit: 20, cursor } },
  }));
  await devices.queryFn({ pageParam: "next" });
  expect(asked.map((url) => url.replace(location.origin, ""))).toEqual([
    "/v1/orders/7",
    "/v1/devices?limit=20&cursor=next",
  ]);
  expect(devices.queryKey).toEqual(["get", "/v1/devices", { limit: 20 }]);
});
