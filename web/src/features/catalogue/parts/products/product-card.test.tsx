import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { aPrice, aProduct } from "~/testing/shop/a-product";
import { showPage } from "~/testing/show";
import { ProductGrid } from "./product-grid";

const shown = (product = aProduct()) =>
  showPage(
    <ProductGrid
      products={[product]}
      label="Products"
      actionFor={({ sku }) => <button type="button">Buy {sku}</button>}
    />,
  );

test("a product tells its name, SKU, price, list price, stock and case, and offers what can be done", async () => {
  await shown();
  const card = screen.getByRole("listitem");
  expect(screen.getByRole("link", { name: "Compustar R285 Remote Start" })).toHaveAttribute(
    "href",
    "/product/p1",
  );
  expect(card).toHaveTextContent("$75.00");
  expect(card).toHaveTextContent("MSRP $100.00");
  expect(card).toHaveTextContent("In stock");
  expect(card).toHaveTextContent("Packed in cases of 5");
  expect(screen.getByText("1W")).toBeVisible();
  expect(screen.getByRole("button", { name: "Buy CS-RS-0001-1W" })).toBeVisible();
});

test("the list price stands alone when nothing is taken off", async () => {
  await shown(aProduct({ pricing: aPrice(100, { rule: "msrp", listName: "MSRP", kind: null }) }));
  expect(screen.getByRole("listitem")).toHaveTextContent("$100.00");
  expect(screen.queryByText("MSRP")).toBeNull();
});

test("a product without a price says so", async () => {
  await shown(aProduct({ pricing: aPrice(null) }));
  expect(screen.getByText("No price yet")).toBeVisible();
});

/** jsdom has no layout, so the popup takes itself for scrolled away. */
test("each price says why", async () => {
  await shown(aProduct({ pricing: aPrice(60, { kind: "deal", listName: "Winter deals" }) }));
  expect(screen.getByText("Deal")).toBeVisible();
  await userEvent.click(
    screen.getByRole("button", { name: "Why this price: Compustar R285 Remote Start" }),
  );
  expect(await screen.findByText("Your business is approved for this brand.")).toBeInTheDocument();
  expect(screen.getByText(/Winter deals/)).toBeInTheDocument();
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByText(/Winter deals/)).toBeNull();
});

test.each([
  ["low", "Only a few left"],
  ["backorder", "On backorder, expected Mar 2, 2027"],
  ["not_for_sale", "Not for sale"],
] as const)("stock that is %s reads %s", async (availability, words) => {
  await shown(aProduct({ availability, restockOn: "2027-03-02" }));
  expect(screen.getByRole("listitem")).toHaveTextContent(words);
});

test("whoever is told the stock reads the figure", async () => {
  await shown(aProduct({ onHand: 42 }));
  expect(screen.getByRole("listitem")).toHaveTextContent("42 in stock");
});
