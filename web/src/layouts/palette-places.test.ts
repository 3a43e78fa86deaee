import { expect, test } from "vitest";
import { SCREENS } from "~/shared/navigation/routes";
import type { Session } from "~/shared/session/session";
import { aPerson, aWork } from "~/testing/a-person";
import { isPlace, type Named, placeOf, renewalIn } from "./palette-places";

test.each([
  [" renew ft-x1 ", { word: "ft-x1", renews: true }],
  ["Renouveler FT-X1", { word: "FT-X1", renews: true }],
  ["renewal", { word: "renewal", renews: false }],
  ["  T-100 ", { word: "T-100", renews: false }],
])("in “%s” the word and what is to be done with it are told apart", (typed, told) => {
  expect(renewalIn(typed)).toEqual(told);
});

test.each<[Named["kind"], string, string]>([
  ["order", "/order/a%2Fb", "/operations?shown=all&subject=T-1"],
  ["product", "/product/a%2Fb", "/product/a%2Fb"],
  ["customer", "/devices/a%2Fb", "/devices/a%2Fb"],
  ["receipt", "/subscriptions/receipts?uuid=a%2Fb", "/operations?shown=all&subject=a%2Fb"],
  ["person", "/operations/account?who=a%2Fb", "/operations/account?who=a%2Fb"],
])("a thing that is %s is opened where the person may", (kind, own, administered) => {
  const thing = { kind, id: "a/b", name: "T-1", note: null };
  expect([placeOf(thing, false), placeOf(thing, true)]).toEqual([own, administered]);
});

test("pages that would turn the person elsewhere are none of theirs", () => {
  const places = (now: Session) =>
    Object.entries(SCREENS).flatMap(([path, screen]) => (isPlace(path, screen, now) ? [path] : []));
  const as = (roles: ReturnType<typeof aPerson>["roles"]): Session => ({
    state: "signed-in",
    token: "t",
    user: aPerson({ roles }),
    work: aWork(false),
  });
  const visitor = places({ state: "anonymous" });
  expect(visitor).toContain("/login");
  expect(visitor).not.toContain("/my-orders");
  expect(places(as(["installer"]))).toContain("/my-orders");
  expect(places(as(["installer"]))).not.toContain("/operations");
  expect(places(as(["admin"]))).toContain("/operations");
  for (const path of places(as(["admin"]))) expect(path).not.toContain("$");
});
