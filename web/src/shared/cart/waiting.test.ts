import { afterEach, expect, test } from "vitest";
import { begin, end } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { keepWaiting, takeWaiting } from "./waiting";

const LINE = { variantId: "v1", quantity: 2, name: "Thing" };

afterEach(() => sessionStorage.clear());

test("what waits is taken once", () => {
  keepWaiting([LINE]);
  expect(takeWaiting()).toEqual([LINE]);
  expect(takeWaiting()).toEqual([]);
});

test.each(["", "{", "7", "null", "[]", '{"lines":[{"variantId":1}]}', '{"lines":[null, "x"]}'])(
  "%s waits for nothing",
  (held) => {
    sessionStorage.setItem("waiting_for_cart", held);
    expect(takeWaiting()).toEqual([]);
  },
);

test("what a visitor wanted waits for whoever signs in", () => {
  keepWaiting([LINE]);
  begin(aPerson(), "token");
  expect(takeWaiting()).toEqual([LINE]);
});

test("what one person wanted does not get into the cart of another", () => {
  begin(aPerson({ id: "first" }), "token");
  keepWaiting([LINE]);
  end("elsewhere");
  begin(aPerson({ id: "second" }), "token");
  expect(takeWaiting()).toEqual([]);
});

test("it is still theirs when they sign in again", () => {
  begin(aPerson({ id: "first" }), "token");
  keepWaiting([LINE]);
  end("elsewhere");
  begin(aPerson({ id: "first" }), "token");
  expect(takeWaiting()).toEqual([LINE]);
});
