import { expect, test } from "vitest";
import type { SiteAnswer } from "~/shared/navigation/links";
import { SCREENS } from "~/shared/navigation/routes";
import type { Session, SignedInUser } from "~/shared/session/session";
import { aPerson, aRep, aWork } from "~/testing/a-person";
import { hasChoice, type Named, placeIn, placeOf, renewalIn } from "./palette-places";

test.each([
  [" renew ft-x1 ", { word: "ft-x1", renews: true }],
  ["Renouveler FT-X1", { word: "FT-X1", renews: true }],
  ["renewal", { word: "renewal", renews: false }],
  ["  T-100 ", { word: "T-100", renews: false }],
])("in “%s” the word and what is to be done with it are told apart", (typed, told) => {
  expect(renewalIn(typed)).toEqual(told);
});

test.each([
  ["/", true],
  ["/activation/device", true],
  ["/cart/checkout/products", true],
  ["/no-such-page", true],
  ["/logout", false],
  ["/wiring/print", false],
])("on %s a business can be chosen: %s", (path, expected) => {
  expect(hasChoice(path)).toBe(expected);
});

test.each<[Named["kind"], string, string]>([
  ["order", "/order/a%2Fb", "/operations?shown=all&subject=T-1"],
  ["product", "/product/a%2Fb", "/product/a%2Fb"],
  ["device", "/devices/a%2Fb", "/devices/a%2Fb"],
  ["customer", "/devices/a%2Fb", "/devices/a%2Fb"],
  ["receipt", "/subscriptions/receipts?uuid=a%2Fb", "/operations?shown=all&subject=a%2Fb"],
  ["person", "/operations/account?who=a%2Fb", "/operations/account?who=a%2Fb"],
])("a thing that is %s is opened where the person may", (kind, own, administered) => {
  const thing = { kind, id: "a/b", name: "T-1", note: null, plan_id: null };
  expect([placeOf(thing, false), placeOf(thing, true)]).toEqual([own, administered]);
});

const SITE = {
  links: {},
  features: { wiring_diagrams: false },
} as SiteAnswer;

function places(now: Session, site?: SiteAnswer): string[] {
  return Object.entries(SCREENS).flatMap(
    ([path, screen]) => placeIn(path, screen, now, site) ?? [],
  );
}

test("pages that would turn the person elsewhere, or refuse them, are none of theirs", () => {
  const as = (roles: SignedInUser["roles"], more: Partial<SignedInUser> = {}): Session => ({
    state: "signed-in",
    token: "t",
    user: aPerson({ roles, ...more }),
    work: aWork(false),
  });
  const visitor = places({ state: "anonymous" });
  expect(visitor).toContain("/login");
  expect(visitor).not.toContain("/my-orders");
  const installer = places(as(["installer"]));
  expect(installer).toContain("/devices");
  for (const path of [
    "/my-orders",
    "/statement",
    "/invoice",
    "/billing",
    "/approvals",
    "/my-business",
    "/team",
    "/operations",
  ])
    expect(installer).not.toContain(path);
  const buyer = places(as(["installer"], { purchasing_rights: true }));
  expect(buyer).toEqual(
    expect.arrayContaining(["/my-orders", "/statement", "/invoice", "/billing", "/approvals"]),
  );
  expect(buyer).not.toContain("/my-business");
  expect(places(as(["owner"], { purchasing_rights: true, is_owner: true }))).toContain(
    "/my-business",
  );
  const rep = places({ state: "signed-in", token: "t", user: aRep(), work: aWork(true) });
  expect(rep).toContain("/billing");
  expect(rep).not.toContain("/approvals");
  expect(places(as(["admin"]))).toContain("/operations");
  expect(places(as(["admin"]))).not.toContain("/my-orders");
  for (const path of places(as(["admin"]))) expect(path).not.toContain("$");
  const retired = places(as(["retired"], { is_retired: true }));
  for (const path of ["/activation", "/cart", "/devices", "/rewards"]) {
    expect(installer).toContain(path);
    expect(retired).not.toContain(path);
  }
  expect(installer).toContain("/wiring");
  expect(places(as(["installer"]), SITE)).not.toContain("/wiring");
});
