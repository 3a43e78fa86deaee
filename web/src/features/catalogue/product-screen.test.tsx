import { screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { CatalogueProduct } from "~/shared/catalogue/types";
import { aProduct } from "~/testing/shop/a-product";
import { showPage } from "~/testing/show";
import { ProductScreen } from "./product-screen";

const PRODUCT: CatalogueProduct = {
  ...aProduct(),
  description: [],
  attributes: [],
  variants: [{ ...aProduct(), id: "v1", name: "One way" }],
  related: [],
  accessories: [],
  askedSku: null,
};

/** A catalogue with this product alone, whose old number is RS0001-OLD; returns what was asked for by a number. */
function holding() {
  const asked: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    const { pathname } = new URL((request as Request).url);
    if (pathname === "/api/product-by-id/p1") return Response.json(PRODUCT);
    if (pathname === "/api/popular-products") return Response.json([aProduct()]);
    const sku = /product-by-sku\/(.+)$/.exec(pathname)?.[1];
    if (!sku) return new Response(null, { status: 404 });
    asked.push(sku);
    if (sku.toUpperCase() !== "RS0001-OLD")
      return Response.json({ code: "product_missing" }, { status: 404 });
    return Response.json({ ...PRODUCT, askedSku: "RS0001-OLD" });
  });
  return asked;
}

afterEach(() => vi.restoreAllMocks());

const OLD = "RS0001-OLD is an old number of this product. It is called CS-RS-0001-1W now.";

test("a product that was searched by an old number says what it is called now", async () => {
  holding();
  await showPage(<ProductScreen id="p1" sku="rs0001-old" />);
  expect(await screen.findByText(OLD)).toBeVisible();
});

test("the beginning of a number is nothing to tell of", async () => {
  const asked = holding();
  await showPage(<ProductScreen id="p1" sku="rs00" />);
  expect(await screen.findByRole("heading", { name: PRODUCT.name })).toBeVisible();
  await vi.waitFor(() => expect(asked).toEqual(["rs00"]));
  expect(screen.queryByText(/is an old number/)).toBeNull();
});

test.each([undefined, "cs-rs-0001-1w"])("asked by %s, nothing is looked up", async (sku) => {
  const asked = holding();
  await showPage(<ProductScreen id="p1" sku={sku} />);
  expect(await screen.findByRole("heading", { name: PRODUCT.name })).toBeVisible();
  expect(asked).toEqual([]);
});

test("where there is no such product, what sells best is shown", async () => {
  holding();
  await showPage(<ProductScreen id="p2" />);
  expect(await screen.findByRole("heading", { name: "Popular products" })).toBeVisible();
});

test("the picture of a product is called as the product, in whatever language the page is", async () => {
  holding();
  await showPage(<ProductScreen id="p1" />);
  expect(await screen.findByRole("button", { name: `Enlarge: ${PRODUCT.name}` })).toBeVisible();
});
