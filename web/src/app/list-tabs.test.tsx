/** The tabs and the pages of each list, at addresses that ask for more than a state. */
import { cleanup, screen, within } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { memosAddress } from "~/features/billing/credit-memos/address";
import { CreditMemosScreen } from "~/features/billing/credit-memos/list-screen";
import { invoicesAddress } from "~/features/billing/invoices/address";
import { InvoicesScreen } from "~/features/billing/invoices/list-screen";
import { DevicesScreen } from "~/features/devices/list-screen";
import { VisitsScreen } from "~/features/devices/visits/list-screen";
import { ordersAddress } from "~/features/orders/address";
import { OrdersScreen } from "~/features/orders/list-screen";
import { Customers } from "~/features/plans/parts/customers/customers";
import { receiptsAddress } from "~/features/plans/receipts-address";
import { ReceiptsScreen } from "~/features/plans/receipts-screen";
import { oneOf } from "~/shared/navigation/query";
import { begin, end } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { showPage } from "~/testing/show";
import { parseSearch } from "./search";

/** What each list is asked for at, and how many it says there are. */
const LISTS: Record<string, object> = {
  "/v1/devices": { counts: { all: 7, in_work: 2 } },
  "/v1/visits": { counts: { waiting: 2, permitted: 0, refused: 0, lapsed: 0, ended: 5 } },
  "/v1/subscriptions": { counts: { active: 4, ending: 2, ended: 1 } },
  "/v1/payments": { count: 70, counts: { charged: 5, declined: 2 } },
  "/api/order-transactions": { count: 70, counts: { placed: 3, invoiced: 4 } },
  "/api/invoices": { count: 70, countOfAll: 7, counts: { open: 3, paid: 4 }, ageing: [] },
  "/api/credit-memos": { count: 70, counts: { open: 3, applied: 4 } },
};

function served(lists = LISTS) {
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    const list = lists[new URL((request as Request).url).pathname];
    if (!list) return new Response(null, { status: 404 });
    return Response.json({ results: [], endCursor: null, end_cursor: null, ...list });
  });
}

beforeEach(() => begin(aPerson({ purchasing_rights: true }), "token"));
afterEach(() => {
  cleanup();
  end();
  vi.restoreAllMocks();
});

type Asked = ReturnType<typeof parseSearch>;

const PLAN_STATES = ["active", "ending", "suspended", "ended"] as const;

/** The page of an address, as its route reads it. */
const PAGES: Record<string, (asked: Asked) => ReactNode> = {
  "/devices": ({ q, state }) => (
    <DevicesScreen startsWith={String(q ?? "")} state={oneOf(["in-work"])(state)} />
  ),
  "/visits": (asked) => <VisitsScreen wanted={asked} />,
  "/subscriptions": ({ q, state }) => (
    <Customers startsWith={String(q ?? "")} state={oneOf(PLAN_STATES)(state)} />
  ),
  "/subscriptions/receipts": (asked) => <ReceiptsScreen address={receiptsAddress(asked)} />,
  "/my-orders": (asked) => <OrdersScreen address={ordersAddress(asked)} />,
  "/invoice": (asked) => <InvoicesScreen address={invoicesAddress(asked)} />,
  "/credit-memo": (asked) => <CreditMemosScreen address={memosAddress(asked)} />,
};

async function at(address: string) {
  const { pathname, search } = new URL(address, "http://portal.example");
  const page = PAGES[pathname]?.(parseSearch(search));
  if (!page) throw new Error(`${pathname} is no list`);
  await showPage(page, address);
}

const tabs = async (name = "Status") =>
  within(await screen.findByRole("navigation", { name })).getAllByRole("link");

const present = (links: HTMLElement[]) =>
  links.filter((link) => link.hasAttribute("aria-current")).map((link) => link.textContent);

test.each([
  ["/devices", "All 7"],
  ["/devices?state=in-work", "In work 2"],
  ["/devices?q=FT&state=in-work", "In work 2"],
  ["/devices?q=FT", "All 7"],
  ["/subscriptions", "All 7"],
  ["/subscriptions?q=FT&state=ending", "Ends soon 2"],
  ["/subscriptions/receipts?limit=30&page=2", "All 7"],
  ["/subscriptions/receipts?limit=30&ok=true", "Charged 5"],
  ["/subscriptions/receipts?limit=30&ok=false", "Declined 2"],
  ["/my-orders", "All 7"],
  ["/my-orders?s=PO&rows=30&p=2", "All 7"],
  ["/my-orders?s=PO&status=invoiced&from=2026-11-01&p=2", "Invoiced 4"],
  ["/my-orders?status=under_way", "Under way 3"],
  ["/my-orders?status=placed", "Under way 3"],
  ["/invoice", "All 7"],
  ["/invoice?s=PO&so=due-asc&p=2", "All 7"],
  ["/invoice?s=PO&status=paid", "Paid 4"],
  ["/invoice?status=31-60&to=2026-11-01", "Open 3"],
  ["/credit-memo?s=CM", "All 7"],
  ["/credit-memo?s=CM&status=applied&rows=60", "Applied 4"],
])("at %s the present tab is %s, and no other", async (address, tab) => {
  served();
  await at(address);
  await screen.findByRole("link", { name: tab });
  expect(present(await tabs())).toEqual([tab]);
});

test.each([
  ["/subscriptions/receipts", "1"],
  ["/my-orders", "1"],
  ["/my-orders?s=PO&p=2", "2"],
  ["/invoice", "1"],
  ["/invoice?so=due-asc&p=2", "2"],
  ["/credit-memo?p=2", "2"],
])("at %s the present page is %s, and no other", async (address, page) => {
  served();
  await at(address);
  const pages = within(await screen.findByRole("navigation", { name: "Pages" }));
  expect(present(pages.getAllByRole("link"))).toEqual([page]);
});

test("each side of the visits has one present tab of its own", async () => {
  served();
  await at("/visits?device=FT-X1-00000042&ours=waiting");
  await screen.findByRole("navigation", { name: "States of your own visits" });
  expect(present(await tabs("States of visits at your devices"))).toEqual([
    "Waiting for the owner 2",
  ]);
  expect(present(await tabs("States of your own visits"))).toEqual(["All 7"]);
});

test.each(["/devices", "/subscriptions", "/my-orders", "/credit-memo"])(
  "at %s tabs have no figures until somebody knows them",
  async (address) => {
    vi.spyOn(globalThis, "fetch").mockReturnValue(new Promise(() => undefined));
    await at(address);
    for (const tab of await tabs()) expect(tab.textContent).not.toMatch(/\d/);
  },
);

test("nor do they where an answer of before does not tell them", async () => {
  served({ "/v1/devices": {} });
  await at("/devices");
  expect(await screen.findByText(/^Devices that you or your colleagues/)).toBeVisible();
  expect((await tabs()).map((tab) => tab.textContent?.trim())).toEqual(["All", "In work"]);
});
