import { QueryClient } from "@tanstack/react-query";
import { createMemoryHistory, createRouter } from "@tanstack/react-router";
import { afterEach, describe, expect, test, vi } from "vitest";
import { deselect, presentSelection, select } from "~/features/billing/invoices/selection";
import { CONSTANTS } from "~/shared/constants";
import { bare } from "~/shared/navigation/routes";
import { amend, begin, type SignedInUser, type Work } from "~/shared/session/session";
import { siteQuery } from "~/shared/session/site";
import { aPerson, aRep, aWork } from "~/testing/a-person";
import { anInvoice } from "~/testing/shop/an-invoice";
import { routeTree } from "./routeTree.gen";
import { parseSearch, stringifySearch } from "./search";

const MINUTE = 60_000;
const OWNER = aPerson({ is_owner: true, roles: ["owner"], purchasing_rights: true });
const ADMINISTRATOR = aPerson({ roles: ["admin"] });

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Goes to addresses, and answers what each was asked for on the way to it, before anything of its page is drawn. */
async function aPortal({ mfa = true } = {}) {
  let asked: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    asked.push(new URL((request as Request).url).pathname);
    return Response.json({ results: [], features: { mfa } });
  });
  const history = createMemoryHistory();
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  await queryClient.prefetchQuery(siteQuery); // as the first page does
  const context = { queryClient };
  const router = createRouter({ routeTree, parseSearch, stringifySearch, history, context });
  return {
    router,
    async askedOnTheWayTo(address: string) {
      asked = [];
      history.push(address);
      await router.load();
      await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0));
      return asked.sort();
    },
  };
}

async function askedOnTheWayTo(address: string, site?: { mfa: boolean }) {
  return (await aPortal(site)).askedOnTheWayTo(address);
}

/** What the pages on a vehicle ask for. */
const WIRING = [
  "/api/external-vehicle-wiring",
  "/api/internal-vehicle-wiring",
  "/api/year-make-model",
  "/api/year-make-model",
];

/** What each page asks for; each that has a loader is named. */
const PAGES: [address: string, asked: string[]][] = [
  ["/", ["/v1/start-page"]],
  ["/activation", ["/v1/activations"]],
  ["/activation/device?id=a1", ["/v1/activations/a1"]],
  ["/activation/handout?id=a1", ["/v1/activations/a1/handout"]],
  ["/approvals", ["/v1/approvals"]],
  ["/approvals/token-of-the-cart", ["/v1/placements/token-of-the-cart"]],
  ["/approvals/p1?kind=purchase", ["/v1/purchases/p1"]],
  ["/billing", ["/api/users-payment-methods"]],
  ["/cart", ["/api/products-checkout/last-b2b-token"]],
  ["/cart/checkout/products", []],
  ["/cart/checkout/products?token=token-of-the-cart", ["/v1/placements/token-of-the-cart"]],
  [
    "/cart/checkout/products/complete?token=token-of-the-cart",
    ["/v1/placements/token-of-the-cart"],
  ],
  ["/cart/checkout/subscriptions", ["/v1/plan-lines"]],
  ["/cart/checkout/subscriptions?uuid=p1", ["/v1/purchases/p1"]],
  ["/cart/checkout/subscriptions/complete?uuid=p1", ["/v1/purchases/p1"]],
  ["/company-info", ["/content/v1/pages/company-info"]],
  ["/credit-memo", ["/api/credit-memos"]],
  ["/credit-memo/CM-1", ["/api/credit-memo"]],
  ["/deals", ["/api/get-coupons", "/api/get-discounted-products"]],
  ["/devices", ["/v1/devices"]],
  ["/devices/ft-x1-00000042", ["/v1/devices/FT-X1-00000042"]],
  ["/devices/ft-x1-00000042/firmware", ["/v1/devices/FT-X1-00000042"]],
  ["/installer-guides", ["/api/folder"]],
  ["/installer-guides?folder=wiring", ["/api/folder/wiring"]],
  ["/invoice", ["/api/invoices"]],
  ["/invoice/INV-1", ["/api/invoice"]],
  ["/invoice-payment", []],
  ["/invoice-payment/complete?id=i1", ["/v1/invoice-payments/i1"]],
  ["/my-business", ["/v1/dealers/d1"]],
  ["/my-orders", ["/api/order-transactions"]],
  ["/order/1", ["/v1/orders/1", "/v1/orders/1/cases"]],
  ["/privacy-policy", ["/content/v1/pages/privacy-policy"]],
  ["/product/p1", ["/api/product-by-id/p1"]],
  ["/profile", ["/v1/auth/devices"]],
  ["/return-policy", ["/content/v1/pages/return-policy"]],
  ["/rewards", ["/v1/dealers/d1/reward-sums"]],
  ["/rewards/u7", ["/v1/dealers/d1/device-rewards"]],
  ["/search?s=remote", ["/api/search-products", "/api/search-products-facets"]],
  ["/search?qo=true", []],
  ["/shipping", ["/content/v1/pages/shipping"]],
  ["/statement", ["/v1/statement"]],
  ["/subscriptions", ["/v1/plans", "/v1/subscriptions"]],
  ["/subscriptions/plans", []],
  ["/subscriptions/plans?device=FT-X1-00000042", ["/api/plans/upgrade"]],
  ["/subscriptions/plans?device=FT-X1-00000042&device=FT-X1-00000043", ["/v1/plans"]],
  ["/subscriptions/receipts", ["/v1/payments"]],
  ["/subscriptions/receipts?uuid=p1", ["/v1/payments/p1"]],
  ["/team", ["/v1/dealers/d1/open-activations"]],
  ["/terms", ["/content/v1/pages/terms"]],
  ["/visits", ["/v1/visits", "/v1/visits"]],
  ["/visits/v1", ["/v1/visits/v1"]],
  ["/wiring?vehicle=2022,1,1", WIRING],
  ["/wiring/print?vehicle=2022,1,1", WIRING],
];

const PAGES_OF_OPERATIONS: typeof PAGES = [
  ["/audit", ["/v1/audit"]],
  [
    "/operations",
    [
      "/v1/operations",
      "/v1/operations/reconciliation",
      "/v1/operations/reconciliation/differences",
      "/v1/operations/runs",
      "/v1/payouts",
    ],
  ],
  ["/operations/account?who=ann@dealer.example", ["/v1/operations/account"]],
  [
    "/operations/activations",
    ["/v1/operations/activation-steps", "/v1/operations/open-activations"],
  ],
  ["/operations/case?id=c1", ["/v1/operations/cases/c1"]],
  ["/operations/cases", ["/v1/operations/cases"]],
  ["/operations/erp", ["/v1/operations/erp"]],
  ["/operations/run?kind=activation&id=a1", ["/v1/operations/runs/activation/a1"]],
];

test.each(PAGES)("%s begins what it asks for on the way to it", async (address, expected) => {
  begin(OWNER, "t");
  expect(await askedOnTheWayTo(address)).toEqual(expected);
});

describe.each(PAGES_OF_OPERATIONS)("%s", (address, expected) => {
  test("begins what it asks for on the way to it", async () => {
    begin(ADMINISTRATOR, "t");
    expect(await askedOnTheWayTo(address)).toEqual(expected);
  });

  test("asks for nothing on the way of others", async () => {
    begin(OWNER, "t");
    expect(await askedOnTheWayTo(address)).toEqual([]);
  });
});

test.each([
  ["an owner", OWNER, PAGES],
  ["an administrator", ADMINISTRATOR, PAGES_OF_OPERATIONS],
])(
  "data that fails is told in its page and is no Application Error, for %s",
  async (_, person, pages) => {
    begin(person, "t");
    const { router, askedOnTheWayTo } = await aPortal();
    vi.mocked(fetch).mockImplementation(async () => Response.json({}, { status: 500 }));
    for (const [address] of pages) {
      await askedOnTheWayTo(address);
      const last = router.state.matches.at(-1);
      expect([address, bare(last?.pathname ?? ""), last?.status]).toEqual([
        address,
        address.split("?")[0],
        "success",
      ]);
    }
  },
);

test("every page with a loader is among these", async () => {
  const { router } = await aPortal();
  const named = [...PAGES, ...PAGES_OF_OPERATIONS].map(([address]) => {
    const [, , route] = router.getMatchedRoutes(address.split("?")[0] ?? "");
    return bare(route?.fullPath ?? "");
  });
  const loading = Object.values(router.routesById).filter(({ options }) => options.loader);
  expect(loading.length).toBeGreaterThan(40);
  expect([...new Set(named)].sort()).toEqual(loading.map(({ fullPath }) => bare(fullPath)).sort());
});

test.each(["/devices", "/devices/ft-x1-00000042", "/visits", "/visits/v1"])(
  "whoever has retired is shown what is open to them instead of %s, and nothing is refused",
  async (address) => {
    begin(RETIRED, "t");
    expect(await askedOnTheWayTo(address)).toEqual(["/v1/start-page"]);
  },
);

const RETIRED = aPerson({ is_owner: true, is_retired: true, roles: ["retired"] });

test.each<[who: string, address: string, person?: SignedInUser, work?: Work]>([
  ["a visitor", "/activation"],
  ["an owner who has retired", "/activation", RETIRED],
  ["an installer", "/my-business", aPerson()],
  ["an owner who has retired", "/my-business", RETIRED],
  ["an installer", "/team", aPerson()],
  ["an owner who has retired", "/team", RETIRED],
  ["a rep without a business", "/team", aRep(), aWork(false)],
  ["an installer", "/my-orders", aPerson()],
  ["a rep without a business", "/my-orders", aRep(), aWork(false)],
  ["a rep without a business", "/billing", aRep(), aWork(false)],
  ["a rep without a business", "/invoice", aRep(), aWork(false)],
  ["a rep without a business", "/credit-memo", aRep(), aWork(false)],
  ["a rep without a business", "/statement", aRep(), aWork(false)],
  ["an installer", "/approvals", aPerson()],
  ["a rep", "/approvals", aRep(), aWork(true)],
  ["a purchaser", "/approvals/token-of-the-cart", aPerson({ purchasing_rights: true })],
  ["a purchaser", "/approvals/p1?kind=purchase", aPerson({ purchasing_rights: true })],
  ["an owner who has retired", "/approvals/token-of-the-cart", RETIRED],
])("%s asks for nothing on the way to %s", async (_, address, person, work) => {
  if (person) begin(person, "t");
  amend({ work });
  expect(await askedOnTheWayTo(address)).toEqual([]);
});

test("whose dealer is not known yet asks for it first", async () => {
  begin(aRep(), "t");
  amend({ work: aWork(true) });
  expect(await askedOnTheWayTo("/team")).toEqual(["/v1/dealers"]);
});

test("a visitor's start page asks for its pictures", async () => {
  const pictures = `/content/v1/pages/${CONSTANTS.homeCarouselPage}`;
  expect(await askedOnTheWayTo("/")).toEqual([pictures]);
});

test("where the site has no second factor no device is trusted with it", async () => {
  begin(OWNER, "t");
  expect(await askedOnTheWayTo("/profile", { mfa: false })).toEqual([]);
});

test("what was selected is asked for on the way to its payment", async () => {
  begin(OWNER, "t");
  select([anInvoice()]);
  const asked = await askedOnTheWayTo("/invoice-payment");
  deselect(presentSelection().keys());
  expect(asked).toEqual([
    "/api/credit-memos",
    "/api/users-payment-methods",
    "/v1/invoice-payments/quote",
  ]);
});

describe.each(["/activation/device?id=a1", "/activation/handout?id=a1"])("%s", (address) => {
  test("a guest's run is asked for by its page", async () => {
    expect(await askedOnTheWayTo(address)).toEqual([]);
  });

  test("so is that of a link with a secret, which the page takes up, whoever follows it", async () => {
    begin(OWNER, "t");
    expect(await askedOnTheWayTo(`${address}#resume=secret`)).toEqual([]);
  });
});

test.each([
  ["/activation/device?id=a1", ["/v1/activations/a1"]],
  ["/wiring?vehicle=2022,1,1", WIRING],
  ["/wiring/print?vehicle=2022,1,1", WIRING],
])("%s is asked for by its page alone while that stays on screen", async (address, expected) => {
  begin(OWNER, "t");
  const { askedOnTheWayTo } = await aPortal();
  const start = Date.now();
  expect(await askedOnTheWayTo(address)).toEqual(expected);
  vi.setSystemTime(start + MINUTE); // nothing is fresh any more
  expect(await askedOnTheWayTo(address)).toEqual([]);
  await askedOnTheWayTo("/terms");
  vi.setSystemTime(start + 2 * MINUTE);
  expect(await askedOnTheWayTo(address)).toEqual(expected);
});

test("a device's plans are asked for once, however often one chooses there, and again when one comes back", async () => {
  const address = "/subscriptions/plans?device=FT-X1-00000042";
  begin(OWNER, "t");
  const { askedOnTheWayTo } = await aPortal();
  const start = Date.now();
  expect(await askedOnTheWayTo(address)).toEqual(["/api/plans/upgrade"]);
  vi.setSystemTime(start + MINUTE); // nothing is fresh any more
  expect(await askedOnTheWayTo(`${address}&type=basic_prepaid`)).toEqual([]);
  await askedOnTheWayTo("/terms");
  vi.setSystemTime(start + 2 * MINUTE);
  expect(await askedOnTheWayTo(address)).toEqual(["/api/plans/upgrade"]);
});
