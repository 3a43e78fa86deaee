import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { forgetSearch, recentSearches } from "~/shared/catalogue/recent-searches";
import { aProduct } from "~/testing/shop/a-product";
import { showPage } from "~/testing/show";
import TopSearch from "./top-search";

/** A search with one suggestion for what was typed, for which it stands with `match`. */
async function typed(match: string | null = null) {
  vi.spyOn(globalThis, "fetch").mockImplementation(
    (asked) =>
      new URL((asked as Request).url).pathname === "/api/search-products"
        ? Promise.resolve(Response.json({ results: [aProduct()], totalCount: 1, match }))
        : new Promise(() => undefined), // nothing else of the server is needed
  );
  const page = await showPage(<TopSearch />);
  const box = await screen.findByRole("combobox", { name: "Search products or SKUs" });
  await userEvent.type(box, "remote");
  return { ...page, box, suggestion: await screen.findByRole("option", { name: /R285/ }) };
}

beforeEach(() => localStorage.clear());
afterEach(() => {
  vi.restoreAllMocks();
});

test("the arrows of the box stand on a suggestion, and Enter opens it", async () => {
  const { box, suggestion, history } = await typed();
  await userEvent.type(box, "{ArrowDown}");
  expect(suggestion).toHaveAttribute("aria-selected", "true");
  await userEvent.type(box, "{Enter}");
  await vi.waitFor(() => expect(history.location.pathname).toBe("/product/p1"));
});

test("the arrows of the select move nothing but the select", async () => {
  const { suggestion } = await typed();
  screen.getByRole("combobox", { name: "Search in" }).focus();
  await userEvent.keyboard("{ArrowDown}");
  expect(suggestion).toHaveAttribute("aria-selected", "false");
});

test("the button searches for what was typed, wherever the arrows stood", async () => {
  const { box, history } = await typed();
  await userEvent.type(box, "{ArrowDown}");
  await userEvent.click(screen.getByRole("button", { name: "Search" }));
  await vi.waitFor(() => expect(history.location.pathname).toBe("/search"));
});

test("a term that leads straight to a product is a recent search, and stands in its address", async () => {
  const { history } = await typed("p1");
  await userEvent.click(screen.getByRole("button", { name: "Search" }));
  await vi.waitFor(() => expect(history.location.href).toBe("/product/p1?sku=remote"));
  expect(recentSearches()).toEqual([{ name: "remote", count: 1 }]);
});

test("a search that is repeated after it was removed is a recent one again", async () => {
  await typed("p1");
  const again = () => userEvent.click(screen.getByRole("button", { name: "Search" }));
  await again();
  await vi.waitFor(() => expect(recentSearches()).toHaveLength(1));
  forgetSearch({ name: "remote", count: 1 });
  await again();
  await vi.waitFor(() => expect(recentSearches()).toHaveLength(1));
});

test("pictures are no part of a term; what SKUs hold is", async () => {
  const { box } = await typed();
  await userEvent.clear(box);
  await userEvent.type(box, "CS-1.2/3_4#5🚗+");
  expect(box).toHaveValue("CS-1.2/3_4#5+");
});
