import { msg } from "@lingui/core/macro";
import { expect, test } from "vitest";
import type { SignedInUser } from "~/shared/session/session";
import { aPerson, aRep, aWork } from "~/testing/a-person";
import { BUILT_IN_BRANDS, BUILT_IN_CATEGORIES } from "./catalogue";
import {
  AT_WORK,
  DROPDOWNS,
  dropdowns,
  footer,
  INLINE,
  isOffered,
  living,
  livingGroups,
  type SiteAnswer,
} from "./links";

const site: SiteAnswer = {
  code: "ca",
  label: "Turnkey Canada",
  country: "CA",
  other: null,
  links: { wiki: "https://wiki.example", bulb_search: "", community: "https://c.example" },
  features: {
    mfa: false,
    card_payments: true,
    wiring_diagrams: false,
    t_harness: true,
    default_pins: false,
    ads_wiring: true,
    automob_wiring: true,
  },
  bot_check_key: "",
  partner_email_domains: [],
};
const labels = (links: { label: unknown }[]) =>
  links.map(({ label }) =>
    typeof label === "string" ? label : (label as { message: string }).message,
  );

test("the dropdowns are Products, Brands and Services, the first two with View All", () => {
  const [products, brands, services] = DROPDOWNS;
  expect(products?.links).toHaveLength(BUILT_IN_CATEGORIES.length + 1);
  expect(brands?.links).toHaveLength(BUILT_IN_BRANDS.length + 1);
  expect(labels([...(services?.links ?? [])])).toEqual([
    "Company Info",
    "Customer Subscriptions",
    "Shipping",
  ]);
  expect(labels([...(products?.links ?? [])]).at(-1)).toBe("View All");
  expect(labels([...(brands?.links ?? [])]).at(-1)).toBe("View All");
});

test("whoever has approved brands finds them first among the brands, in the menus and the footer", () => {
  for (const groups of [dropdowns([], BUILT_IN_BRANDS, true), footer([], BUILT_IN_BRANDS, true)]) {
    const [first] = groups[1]?.links ?? [];
    expect(first).toMatchObject({ to: "/search", search: { b: "approved" } });
  }
  expect(labels([...(DROPDOWNS[1]?.links ?? [])])).not.toContain("Approved Brands");
});

test("the built-in categories and brands are the specs' fourteen and thirteen, each with an address of its own", () => {
  expect(BUILT_IN_CATEGORIES).toHaveLength(14);
  expect(BUILT_IN_BRANDS).toHaveLength(13);
  expect(new Set(BUILT_IN_CATEGORIES.map(({ slug }) => slug)).size).toBe(14);
  expect(BUILT_IN_CATEGORIES.find(({ name }) => name === "Remote Start + Security")?.slug).toBe(
    "remote-start-security",
  );
});

const signedIn = (user: SignedInUser, chosen = true) =>
  ({ state: "signed-in", token: "t", user, work: aWork(chosen) }) as const;
const visitor = { state: "anonymous" } as const;

test("a link lives when its screen exists, its part is on and its address is set", () => {
  expect(labels(living(INLINE, site, visitor))).toEqual([
    "Quick Order",
    "Wiki",
    "Drone Activation",
    "Installer Guides",
  ]);
  expect(labels(living(INLINE, undefined, visitor))).toContain("Wiring");
  expect(living([{ label: "Gone", to: "/no-such-page" }], site, visitor)).toEqual([]);
});

test("a menu has no link that sends the person elsewhere, and one without any is not shown", () => {
  const outside = livingGroups(DROPDOWNS, site, signedIn(aRep(true)));
  expect(labels([...(outside.at(-1)?.links ?? [])])).toEqual(["Company Info", "Shipping"]);
  const own = { label: msg`Mine`, links: [{ label: "Profile", to: "/profile" }] };
  expect(livingGroups([own], site, signedIn(aRep(true)))).toEqual([]);
  expect(livingGroups([own], site, signedIn(aPerson()))).toEqual([own]);
});

test("an outside rep without a business is offered no plans, which are read for one that they may not buy for", () => {
  const services = (user: SignedInUser) =>
    labels([...(livingGroups(DROPDOWNS, site, signedIn(user, false)).at(-1)?.links ?? [])]);
  expect(services(aRep(true))).toEqual(["Company Info", "Shipping"]);
  expect(services(aRep())).toEqual(["Company Info", "Customer Subscriptions", "Shipping"]);
  expect(isOffered("/subscriptions/receipts", site, signedIn(aRep(true), false))).toBe(false);
});

const RETIRED = aPerson({ is_owner: true, is_retired: true, roles: ["retired"] });

test("whoever has retired is offered nothing that is for those at work", () => {
  const now = signedIn(RETIRED);
  for (const to of ["/activation", "/cart", "/devices", "/visits", "/rewards"]) {
    expect(isOffered(to, site, now), to).toBe(false);
    expect(isOffered(to, site, signedIn(aPerson())), to).toBe(true);
  }
  expect(labels(livingGroups(AT_WORK, undefined, now).flatMap(({ links }) => links))).toEqual([
    "Wiring",
    "Installer Guides",
    "My Profile",
    "Dealer Request",
  ]);
});

test.each<[string, SignedInUser, boolean]>([
  ["an installer", aPerson(), true],
  ["an inside rep", aRep(), true],
  ["an outside rep", aRep(true), true],
  ["an administrator", aPerson({ roles: ["admin"] }), true],
  ["somebody who has retired", aPerson({ roles: ["retired"], is_retired: true }), false],
])("service visits are offered to whom they are for: %s", (_, user, isThere) => {
  expect(isOffered("/visits", site, signedIn(user))).toBe(isThere);
});

test.each<[string, SignedInUser | undefined, boolean]>([
  ["a visitor", undefined, true],
  ["a purchaser", aPerson({ purchasing_rights: true }), true],
  ["an inside rep", aRep(), true],
  ["an installer", aPerson(), false],
  ["a consumer", aPerson({ is_b2c: true }), false],
])("Quick Order is offered to whoever may buy: %s", (_, user, isThere) => {
  const offered = labels(living(INLINE, site, user ? signedIn(user) : visitor));
  expect(offered.includes("Quick Order")).toBe(isThere);
});

test("nobody is offered what the site has switched off", () => {
  expect(isOffered("/wiring", site, signedIn(aPerson()))).toBe(false);
  expect(isOffered("/wiring", undefined, signedIn(aPerson()))).toBe(true);
});

test.each<[string, SignedInUser | undefined, string[]]>([
  ["a visitor", undefined, []],
  ["an owner", aPerson({ is_owner: true, purchasing_rights: true }), []],
  ["a purchaser", aPerson({ purchasing_rights: true }), ["/my-business"]],
  ["an accountant", aPerson({ is_dealer_accountant: true }), ["/my-orders", "/my-business"]],
  ["a consumer", aPerson({ is_b2c: true }), ["/my-orders", "/my-business"]],
  [
    "an installer",
    aPerson(),
    ["/my-orders", "/invoice", "/credit-memo", "/statement", "/my-business", "/billing"],
  ],
  ["an outside rep", aRep(true), ["/profile", "/my-business", "/rewards"]],
  [
    "an owner who has retired",
    RETIRED,
    [
      "/my-orders",
      "/invoice",
      "/credit-memo",
      "/statement",
      "/my-business",
      "/rewards",
      "/billing",
    ],
  ],
])("%s is offered no page that refuses them", (_, user, without) => {
  const now = user ? signedIn(user) : visitor;
  const account = footer([], []).at(-1)?.links ?? [];
  const tos = account.flatMap((link) => ("to" in link ? [link.to] : []));
  expect(tos.filter((to) => !isOffered(to, site, now))).toEqual(without);
});
