import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { begin } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { lookAgain } from "~/testing/look-again";
import { aPrice, aProduct } from "~/testing/shop/a-product";
import { showPage } from "~/testing/show";
import { aServer } from "~/testing/some-wiring";
import { Harnesses, Modules } from "./products";

const MODULE = aProduct({ id: "m1", name: "Blade AL", sku: "BLADE-AL", pricing: aPrice(80) });
const REMOTE = aProduct({
  id: "r1",
  name: "Two-way remote",
  sku: "2WR5-SF",
  pricing: aPrice(120),
  defaultVariant: { id: "v2", sku: "2WR5-SF" },
});

const features = (klon: boolean) => ({
  productId: "m1",
  accessories: ["2WR5-SF"],
  name: "Blade AL",
  klon,
  keysForInstall: 1,
  keysForProgramming: 2,
  features: [{ name: "Arm OEM alarm", supported: false }],
});

const listed = (...results: object[]) => ({ totalCount: results.length, results });

/** A shop whose one module has these accessories; answers what is put into the cart. */
function aShop(klon: boolean, accessories: object[] = [REMOTE]): object[] {
  const bought: object[] = [];
  aServer({
    "vehicle-saleor-products": listed(MODULE),
    "product-features": features(klon),
    "vehicle-saleor-accessory-products": ({ sku }: { sku: string }) =>
      listed(...(sku === MODULE.sku ? accessories : [])),
    "create-b2b": ({ lines }: { lines: object[] }) => {
      bought.push(...lines);
      return { token: "t1", lines: [] };
    },
  });
  return bought;
}

beforeEach(() => begin(aPerson({ purchasing_rights: true }), "token"));
afterEach(() => vi.unstubAllGlobals());

test.each([
  [true, "Yes"],
  [false, "No"],
])("a module that clones a key (%s) says %s", async (klon, word) => {
  aShop(klon);
  await showPage(<Modules skus={[MODULE.sku]} />);
  const told = await screen.findByText("Klon");
  expect(told.nextElementSibling).toHaveTextContent(word);
  expect(screen.getByText("Arm OEM alarm").nextElementSibling).toHaveTextContent("No");
});

test("accessories of a module come when they are opened, each with its price and a way into the cart", async () => {
  const bought = aShop(true);
  await showPage(<Modules skus={[MODULE.sku]} />);
  const opener = await screen.findByLabelText("Accessories of Blade AL");
  expect(screen.queryByText("Two-way remote")).toBeNull();
  await userEvent.click(opener);
  const remote = (await screen.findByRole("heading", { name: "Two-way remote" })).closest("li");
  if (!remote) throw new Error("no row");
  expect(remote).toHaveTextContent("$120.00");
  await userEvent.click(
    within(remote).getByRole("button", { name: "Add to cart: Two-way remote" }),
  );
  await waitFor(() => expect(bought).toEqual([{ variantId: "v2", quantity: 1 }]));
  expect(screen.getByText("1 product")).toBeVisible();
});

test("a module without accessories says so", async () => {
  aShop(true, []);
  await showPage(<Modules skus={[MODULE.sku]} />);
  await userEvent.click(await screen.findByLabelText("Accessories of Blade AL"));
  await waitFor(() => expect(screen.getByText("Not Found")).toBeVisible());
});

test("T-harnesses that cannot be read are none, and others can be searched for", async () => {
  aServer({ "t-harness-by-sku": new Error("away"), "search-products": listed(MODULE) });
  await showPage(<Harnesses skus={["T-1"]} />);
  expect(await screen.findByText("Not Found")).toBeVisible();
  expect(screen.queryByRole("alert")).toBeNull();
  await userEvent.type(screen.getByLabelText("Search T-harnesses"), "toyota");
  await userEvent.click(screen.getByRole("button", { name: "Search" }));
  expect(await screen.findByRole("heading", { name: "Blade AL" })).toBeVisible();
  expect(screen.queryByRole("link", { name: "Show all in the shop" })).toBeNull();
});

test("a search for T-harnesses that finds more than it shows leads to them", async () => {
  aServer({ "search-products": { ...listed(MODULE, REMOTE), totalCount: 30 } });
  await showPage(<Harnesses skus={[]} />);
  await userEvent.type(screen.getByLabelText("Search T-harnesses"), "toyota");
  await userEvent.click(screen.getByRole("button", { name: "Search" }));
  const all = await screen.findByRole("link", { name: "Show all in the shop" });
  expect(all.parentElement).toHaveTextContent("2 of 30. Show all in the shop");
  expect(all).toHaveAttribute("href", "/search?s=toyota&c=t-harnesses");
});

test("a look that fails is told above the T-harnesses that were found, which stay", async () => {
  const answers: Record<string, unknown> = { "search-products": listed(MODULE) };
  aServer(answers);
  await showPage(<Harnesses skus={[]} />);
  await userEvent.type(screen.getByLabelText("Search T-harnesses"), "toyota");
  await userEvent.click(screen.getByRole("button", { name: "Search" }));
  await screen.findByRole("heading", { name: "Blade AL" });
  answers["search-products"] = new Error("away");
  lookAgain();
  expect(await screen.findByRole("button", { name: "Try again" })).toBeVisible();
  expect(screen.getByRole("heading", { name: "Blade AL" })).toBeVisible();
});
