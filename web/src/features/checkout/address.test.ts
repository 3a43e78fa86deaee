import { expect, test } from "vitest";
import { checkoutSearch } from "./address";

test("only what can be the token of a cart is kept", () => {
  expect(checkoutSearch({ token: "vUwYd1x4-2rRlmxgk" })).toEqual({ token: "vUwYd1x4-2rRlmxgk" });
  expect(checkoutSearch({ token: "../../x" })).toEqual({});
  expect(checkoutSearch({ token: ["a", "b"] })).toEqual({});
  expect(checkoutSearch({})).toEqual({});
});
