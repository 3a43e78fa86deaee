import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { aProduct } from "~/testing/a-product";
import { showPage } from "~/testing/show";
import TopSearch from "./top-search";

/** A search with one suggestion for what was typed. */
async function typed() {
  vi.spyOn(globalThis, "fetch").mockImplementation(
    (asked) =>
      new URL((asked as Request).url).pathname === "/api/search-products"
        ? Promise.resolve(Response.json({ results: [aProduct()], total: 1, match: null }))
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
