import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { aPrice, aProduct } from "~/testing/shop/a-product";
import { show, showPage } from "~/testing/show";
import { Ordering } from "../ordering";
import { ProductRows } from "./product-rows";

test("a row reads SKU, name, stock, price and what adds it, in one line", async () => {
  await showPage(
    <ProductRows
      products={[aProduct({ onHand: 17 }), aProduct({ id: "p2", pricing: aPrice(null) })]}
      count={2}
      label="Products"
      actionFor={({ sku }) => <button type="button">Buy {sku}</button>}
    />,
  );
  const table = within(screen.getByRole("table", { name: "Products" }));
  expect(table.getAllByRole("columnheader").map((head) => head.textContent)).toEqual([
    "SKU",
    "Product",
    "Stock",
    "Price",
    "Quantity",
  ]);
  const [, row, priceless] = table.getAllByRole("row");
  const cells = [...(row?.children ?? [])].map((cell) => cell.textContent);
  expect(cells).toEqual([
    "CS-RS-0001-1W",
    "Compustar R285 Remote Start",
    expect.stringContaining("17"),
    "$75.00",
    "Buy CS-RS-0001-1W",
  ]);
  expect(priceless).toHaveTextContent("No price yet");
});

test.each([
  [true, 5],
  [false, 4],
])(
  "with a term (%s) there are %i ways to sort, the best match among them",
  async (hasTerm, count) => {
    const onSort = vi.fn();
    show(
      <Ordering
        sort="price-desc"
        hasTerm={hasTerm}
        size={8}
        sizes={[8, 16]}
        view="cards"
        onSort={onSort}
        onSize={vi.fn()}
        onView={vi.fn()}
      />,
    );
    const sorts = screen.getByLabelText("Sort by");
    expect(sorts).toHaveValue("price-desc");
    expect(within(sorts).getAllByRole("option")).toHaveLength(count);
    const best = within(sorts).queryByRole("option", { name: "Best match" });
    if (!hasTerm) return expect(best).toBeNull();
    await userEvent.selectOptions(sorts, "Best match");
    expect(onSort).toHaveBeenCalledWith("best-match");
  },
);
