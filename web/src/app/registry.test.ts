import { readFileSync } from "node:fs";
import { createMemoryHistory, createRouter } from "@tanstack/react-router";
import { expect, test } from "vitest";
import { DROPDOWNS, FOOT_LINE, FOOTER, INLINE } from "~/shared/navigation/links";
import { bare, isKnown, SCREENS, screenOf, trail } from "~/shared/navigation/routes";
import { routeTree } from "./routeTree.gen";

const router = createRouter({
  routeTree,
  history: createMemoryHistory(),
  context: { queryClient: undefined as never },
});
const routes = Object.values(router.routesById)
  .filter((route) => !route.children)
  .map((route) => ({ path: bare(route.fullPath), id: route.id as string }));

/** The group of the routes that is drawn in each layout. */
const GROUPS = {
  default: "/_default",
  "dynamic-auth": "/_default",
  task: "/_task",
  "no-auth": "/_plain",
  checkout: "/_checkout",
  blank: "/_blank",
  print: "/_print",
};

test("every route is in the registry and every screen of it has a route", () => {
  expect(routes.map(({ path }) => path).sort()).toEqual(Object.keys(SCREENS).sort());
});

test.each(routes)(
  "$path stands in its layout, with title and crumbs that exist",
  ({ path, id }) => {
    const screen = screenOf(path);
    if (!screen) throw new Error(`${path} is not in the registry`);
    expect(id.startsWith(GROUPS[screen.layout])).toBe(true);
    expect(screen.title.message ?? screen.title.id).toBeTruthy();
    for (const above of screen.above ?? []) expect(isKnown(above)).toBe(true);
    expect(trail(path).at(-1)?.to).toBe(path);
  },
);

test("access is that of the specs' table", () => {
  const login = Object.keys(SCREENS).filter((path) => SCREENS[path]?.access === "login");
  expect(login.sort()).toEqual([
    "/approvals/{-$id}",
    "/audit",
    "/billing",
    "/cart",
    "/cart/checkout/products",
    "/cart/checkout/products/complete",
    "/cart/checkout/subscriptions",
    "/cart/checkout/subscriptions/complete",
    "/credit-memo/{-$id}",
    "/devices",
    "/devices/$key",
    "/devices/$key/firmware",
    "/installer-guides",
    "/invoice-payment",
    "/invoice-payment/complete",
    "/invoice/{-$id}",
    "/my-business",
    "/my-orders",
    "/operations",
    "/operations/account",
    "/operations/activations",
    "/operations/case",
    "/operations/cases",
    "/operations/erp",
    "/operations/run",
    "/order/{-$id}",
    "/profile",
    "/rewards",
    "/rewards/$id",
    "/statement",
    "/subscriptions",
    "/subscriptions/plans",
    "/subscriptions/receipts",
    "/team",
    "/visits",
    "/visits/$id",
    "/wiring",
    "/wiring/print",
  ]);
  const free = Object.keys(SCREENS).filter((path) => SCREENS[path]?.access === "public");
  expect(free).toEqual(expect.arrayContaining(["/login", "/register", "/privacy-policy"]));
  for (const path of ["/", "/login", "/search", "/activation"])
    expect(SCREENS[path]?.description, path).toBeDefined();
});

test("an address without a screen is not known, and a prototype's name is none", () => {
  for (const path of ["/no-such-page", "/profile/more", "/constructor", "/toString", "//", ""]) {
    expect(isKnown(path)).toBe(false);
    expect(screenOf(path)).toBeUndefined();
  }
  expect(isKnown("/profile/?a=b#c")).toBe(true);
  expect(screenOf("/devices/FT-X1-00000042")).toBe(SCREENS["/devices/$key"]);
  expect(trail("/devices/FT-X1-00000042").map(({ to }) => to)).toEqual([
    "/devices",
    "/devices/FT-X1-00000042",
  ]);
  expect(trail("/devices/FT-X1-00000042/firmware").map(({ to }) => to)).toEqual([
    "/devices",
    "/devices/FT-X1-00000042",
    "/devices/FT-X1-00000042/firmware",
  ]);
  expect(screenOf("/devices/FT-X1-00000042/more")).toBeUndefined();
});

test("no page of the source links to a screen that does not exist", () => {
  const menus = [...DROPDOWNS, ...FOOTER].flatMap(({ links }) => links);
  const inside = [...menus, ...INLINE, ...FOOT_LINE].filter((link) => "to" in link);
  expect(inside.length).toBeGreaterThan(40);
  const content = readFileSync("../simulators/content_pages.json", "utf8");
  for (const [, to = ""] of content.matchAll(/(?:href=\\"|"link": ")(\/[^"\\]*)/g)) {
    expect(isKnown(to), to).toBe(true);
  }
});
