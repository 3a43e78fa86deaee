import { cleanup, renderHook, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useAlerts } from "~/shared/alerts/alerts";
import { forgetSearch, recentSearches } from "~/shared/catalogue/recent-searches";
import { aProduct } from "~/testing/shop/a-product";
import { showPage } from "~/testing/show";
import { searchAddress } from "./address";
import { SearchScreen } from "./search-screen";

/** A catalogue in which so many products fit, of which one is shown; returns how often the popular ones were asked for. */
function finding(totalCount: number, status = 200) {
  const popular = vi.fn();
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) => {
    const { pathname } = new URL((asked as Request).url);
    if (pathname === "/api/popular-products") {
      popular();
      return Response.json([aProduct({ id: "p9", name: "What everybody buys" })]);
    }
    if (pathname !== "/api/search-products") return new Response(null, { status: 404 });
    if (status !== 200) return Response.json({ code: "unavailable" }, { status });
    return Response.json({
      results: totalCount > 0 ? [aProduct()] : [],
      totalCount,
      endCursor: null,
      accountInformation: { approvedBrands: [] },
      searchedFor: null,
      match: null,
    });
  });
  return popular;
}

const at = (address: Record<string, string>) =>
  showPage(<SearchScreen address={searchAddress(address)} />);
const names = () => recentSearches().map(({ name }) => name);

beforeEach(() => localStorage.clear());
afterEach(() => vi.restoreAllMocks());

test("a search that was removed from the recent ones stays removed on its other pages", async () => {
  finding(20);
  await at({ s: "siren" });
  await vi.waitFor(() => expect(names()).toEqual(["siren"]));
  forgetSearch({ name: "siren", count: 20 });
  for (const p of ["2", "1"]) {
    cleanup();
    await at({ s: "siren", p });
    await screen.findByRole("list", { name: "Products" });
    expect(names()).toEqual([]);
  }
  cleanup();
  await at({ s: "horn" });
  await vi.waitFor(() => expect(names()).toEqual(["horn"]));
});

test("a page of products that fails is told once, where it can be asked for again", async () => {
  finding(0, 503);
  await at({ s: "harness" });
  expect(await screen.findByText(/Unexpected Error/, {}, { timeout: 10_000 })).toBeVisible();
  expect(screen.getByRole("button", { name: "Try again" })).toBeVisible();
  expect(renderHook(() => useAlerts()).result.current).toEqual([]);
}, 15_000);

test("where nothing is found, what sells best is shown", async () => {
  const popular = finding(0);
  await at({ s: "no such thing" });
  expect(await screen.findByText("Not Found")).toBeVisible();
  expect(await screen.findByRole("heading", { name: "Popular products" })).toBeVisible();
  expect(screen.getByText("What everybody buys")).toBeVisible();
  expect(popular).toHaveBeenCalledOnce();
});

test("where something is found, nothing else is asked for", async () => {
  const popular = finding(1);
  await at({ s: "something" });
  expect(await screen.findByRole("list", { name: "Products" })).toBeVisible();
  expect(popular).not.toHaveBeenCalled();
});

test("the list is narrowed where one stands: the page does not move to its top", async () => {
  finding(1);
  const moved = vi.spyOn(window, "scrollTo").mockImplementation(() => undefined);
  const { history } = await showPage(
    <SearchScreen address={searchAddress({ s: "siren" })} />,
    "/",
    {
      scrolls: true,
    },
  );
  const chip = await screen.findByRole("button", { name: "Remove “siren”" });
  moved.mockClear();
  await userEvent.click(chip);
  await vi.waitFor(() => expect(history.location.pathname).toBe("/search"));
  await screen.findByRole("list", { name: "Products" });
  expect(moved).not.toHaveBeenCalled();
});
