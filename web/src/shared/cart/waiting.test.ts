import { afterEach, expect, test } from "vitest";
import { keepWaiting, takeWaiting } from "./waiting";

afterEach(() => sessionStorage.clear());

test("what waits is taken once", () => {
  keepWaiting([{ variantId: "v1", quantity: 2, name: "Thing" }]);
  expect(takeWaiting()).toEqual([{ variantId: "v1", quantity: 2, name: "Thing" }]);
  expect(takeWaiting()).toEqual([]);
});

test.each(["", "{", "7", '[{"variantId":1}]', '[null, "x"]'])("%s waits for nothing", (held) => {
  sessionStorage.setItem("waiting_for_cart", held);
  expect(takeWaiting()).toEqual([]);
});
