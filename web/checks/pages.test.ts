import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { pagesOf, TREE } from "./pages.ts";

test("every address of the router's tree is named", () => {
  const named = pagesOf(readFileSync(TREE, "utf8"));
  expect(named).toContain("/");
  expect(named).toContain("/devices/$key");
  expect(named).toContain("/order/{-$id}");
  expect(named).toContain("/cart/checkout/products/complete");
  expect(new Set(named).size).toBe(named.length);
});

test("a tree of another shape stops the build", () => {
  expect(() => pagesOf("export const routeTree = {}")).toThrow("fullPaths");
});
