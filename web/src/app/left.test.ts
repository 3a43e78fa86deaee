import { renderHook } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { recalled, remember } from "~/features/activation/start/entered";
import { keepProof, proofOf } from "~/features/devices/proofs";
import { setStaleCart, useStaleCart } from "~/shared/cart/stale";
import { askForBusiness, useAskedForBusiness } from "~/shared/session/ask-business";
import { amend, begin, end, expire } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";

const KEY = "FT-X1-00000042";
const present = <Value>(hook: () => Value) => renderHook(hook).result.current;

/** What the page holds in memory for the person. */
const held = () =>
  [
    present(useAskedForBusiness) && "the choice of a business",
    present(useStaleCart) && "a cart that another took the place of",
    proofOf(KEY) && "the digits of a SIM",
    recalled(KEY) && "a serial number",
  ].filter(Boolean);

function leaveAll() {
  askForBusiness();
  setStaleCart({ token: "t", lines: [] });
  keepProof(KEY, "12345");
  remember({ device_key: KEY, iccid_last_digits: "12345", found: {} as never });
}

beforeEach(() => {
  begin(aPerson({ id: "first" }), "token");
  leaveAll();
});

test.each([
  ["it ends", () => end()],
  ["it ended elsewhere", () => end("elsewhere")],
  ["another one signs in", () => begin(aPerson({ id: "second" }), "token")],
])("nothing that was asked or typed outlives its person: %s", (_, leave) => {
  expect(held()).toHaveLength(4);
  leave();
  expect(held()).toEqual([]);
});

test.each([
  ["the token is renewed", () => begin(aPerson({ id: "first" }), "next")],
  ["their record changes", () => amend({ user: aPerson({ id: "first", last_name: "Roe" }) })],
  ["the sign-in expires under them", () => expire()],
])("it stays while they are the same: %s", (_, change) => {
  change();
  expect(held()).toHaveLength(4);
});

test("what a visitor typed is still there when they have signed in", () => {
  end();
  remember({ device_key: KEY, found: {} as never });
  begin(aPerson(), "token");
  expect(recalled(KEY)).toBeDefined();
});
