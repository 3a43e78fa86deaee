import { axe, expect, heading, press, signIn, test } from "./journey";
import { aBuyer, INES, OLIVIA } from "./people";

const box = "Search products or SKUs";

test("a dealer searches with a slip of the finger, narrows, and opens a product @phone", async ({
  page,
}) => {
  await signIn(page, OLIVIA);
  await page.getByLabel(box).fill("compustra harness");
  await page.getByLabel(box).press("Enter");
  await expect(heading(page, "Results for “compustra harness”")).toBeVisible();
  await expect(page.getByText("These are the results for “compustar harness")).toBeVisible();
  await expect(page).toHaveURL(/\/search\?s=compustra%20harness$/);
  const products = page.getByRole("list", { name: "Products" });
  await expect(products.getByRole("listitem")).toHaveCount(8);
  await axe(page);
  await page.getByLabel("Sort by").selectOption({ label: "Price, low to high" });
  await expect(page).toHaveURL(/so=price-asc/);
  await page.getByRole("link", { name: "Page 2", exact: true }).click();
  await expect(page).toHaveURL(/p=2/);
  // Until it comes the page shows the one before.
  await page.reload();
  const first = products.getByRole("listitem").first();
  const name = await first.getByRole("heading").textContent();
  await page.reload();
  await expect(first.getByRole("heading")).toHaveText(name ?? "");
  await first.getByRole("link").click();
  await expect(heading(page, name ?? "")).toBeVisible();
  await expect(page.getByText("What it does")).toBeVisible();
  await axe(page);
  const trail = page.getByRole("navigation", { name: "Breadcrumb" });
  const up = trail.getByRole("link", { name: "Products" }).or(trail.getByRole("button"));
  await up.filter({ visible: true }).click();
  await expect(page).toHaveURL(/\/search\?(?=.*s=compustra)(?=.*so=price-asc)(?=.*p=2)/);
});

test("the desk by the keyboard: suggestions, the best match, counts, rows, a number into the cart @phone", {
  tag: "@whole",
}, async ({ page }) => {
  await signIn(page, await aBuyer(page));
  await page.getByLabel(box).fill("harness civ");
  const suggestions = page.getByRole("listbox", { name: "Suggestions" });
  await expect(suggestions.getByRole("option").first()).toContainText("Civic");
  await axe(page);
  await page.getByLabel(box).press("ArrowDown");
  await expect(suggestions.getByRole("option").first()).toHaveAttribute("aria-selected", "true");
  await page.getByLabel(box).press("Escape");
  await expect(suggestions).toHaveCount(0);
  await page.getByLabel(box).press("Enter");
  await expect(heading(page, "Results for “harness civ”")).toBeVisible();
  await page.getByLabel("Sort by").selectOption({ label: "Best match" });
  await expect(page).toHaveURL(/so=best-match/);
  await press(page, "Rows");
  await expect(page).toHaveURL(/v=list/);
  const rows = page.getByRole("table", { name: "Products" });
  await expect(rows.getByRole("row", { name: /Civic/ }).first()).toBeVisible();
  await axe(page);
  const filters = page.getByRole("complementary", { name: "Filters" });
  const toggle = filters.getByRole("button", { name: /^Filters/ });
  if (await toggle.isVisible()) await toggle.click();
  const brand = filters.getByRole("checkbox", { name: /^Firstech\s?\d/ });
  await brand.focus();
  await page.keyboard.press("Space");
  await expect(page).toHaveURL(/b=firstech/);
  await page.getByLabel(box).fill("harness toyota");
  await page.getByLabel(box).press("Enter");
  await expect(page).toHaveURL(/b=firstech.*s=harness%20toyota.*so=best-match.*v=list/);
  const add = rows.getByRole("button", { name: /^Add to cart: / }).first();
  await expect(rows).toHaveAttribute("aria-busy", "false");
  await rows
    .getByLabel(/^Quantity: /)
    .first()
    .fill("3");
  await add.press("Enter");
  await expect(page.getByRole("link", { name: "Cart, 3" })).toBeVisible();
  await page.goto("/search?s=civic");
  await expect(page.getByLabel("Sort by")).toHaveValue("price-desc");
});

test("the beginning of an old SKU leads straight to the product, and what does not exist is said", {
  tag: "@whole",
}, async ({ page }) => {
  await page.goto("/");
  await page.getByLabel(box).fill("ac0003");
  await press(page, "Search");
  await expect(page).toHaveURL(/\/product\/p3\?sku=ac0003$/);
  await page.goto("/product/no-such-product");
  await expect(page.getByText("Not Found", { exact: true })).toBeVisible();
});

test("recent searches come up in the empty box, newest first, and can be removed @whole", async ({
  page,
}) => {
  await page.goto("/search?s=siren");
  await expect(heading(page, "Results for “siren”")).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "US dollars" })).toBeVisible();
  await page.goto("/search?s=camera&c=dash-cameras");
  await expect(page.getByLabel("Search in")).toHaveValue("c:dash-cameras");
  await expect(page.getByRole("status").filter({ hasText: "US dollars" })).toBeVisible();
  await page.getByRole("link", { name: "Turnkey, to the dashboard" }).click();
  await expect(page.getByLabel(box)).toHaveValue("");
  await page.getByLabel(box).click();
  const recent = page.getByRole("list", { name: "Recent searches" });
  await expect(recent.getByRole("listitem")).toHaveCount(2);
  await expect(recent.getByRole("listitem").first()).toContainText("Dash Cameras");
  await axe(page);
  // It closes when it loses the focus, which the look at the page may have taken.
  await page.getByLabel(box).click();
  await recent.getByRole("button", { name: "Remove camera" }).click();
  await expect(recent.getByRole("listitem")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(recent).toHaveCount(0);
});

test("a rep sees list prices first and those of the business once it is chosen, each with its reason", {
  tag: "@whole",
}, async ({ page }) => {
  await signIn(page, INES);
  await page.goto("/search?s=CS-TH-0223");
  const price = page.getByRole("button", { name: /^Why this price/ });
  await price.click();
  await expect(page.getByText(/This is the list price/)).toBeVisible();
  await page.keyboard.press("Escape");
  await press(page, "Select Business");
  const modal = page.getByRole("dialog", { name: "Select Business" });
  await modal.getByLabel("Search by business name or code").fill("N1001");
  await modal.getByRole("radio", { name: /Harbour/ }).check();
  await modal.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByText(/^MSRP/)).toBeVisible();
  await price.click();
  await expect(
    page.getByText("You see the price of the business that you work for."),
  ).toBeVisible();
  await page.keyboard.press("Escape");
  await press(page, "Exit");
  await expect(page.getByText(/^MSRP/)).toHaveCount(0);
});

test("filters and pages by the keyboard alone, and deals with their coupons", {
  tag: "@whole",
}, async ({ page }) => {
  await page.goto("/search?c=security");
  await expect(page.getByRole("list", { name: "Narrowed by" })).toContainText("Security");
  await page.getByRole("checkbox", { name: "DroneMobile" }).focus();
  await page.keyboard.press("Space");
  await expect(page).toHaveURL(/b=dronemobile/);
  await page.getByRole("button", { name: "Clear all" }).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/search$/);
  await page.getByRole("link", { name: "Next" }).focus();
  await page.keyboard.press("Enter");
  await expect(heading(page, "Products")).toBeFocused();
  await page.goto("/deals");
  await expect(page.getByRole("list", { name: "Coupons" })).toHaveCount(0); // of buyers alone
  await expect(
    page
      .getByText("Deal", { exact: true })
      .or(page.getByText(/Log in to see/))
      .first(),
  ).toBeVisible();
  await axe(page);
});

test("a search that fails says so, resets the form, and may be tried again", {
  tag: "@whole",
}, async ({ page }) => {
  await page.goto("/");
  await expect(page.getByLabel(box)).toBeVisible();
  await page.route("**/api/search-products", (route) => route.abort());
  await page.getByLabel(box).fill("siren");
  await page.getByLabel(box).press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: "could not reach" })).toBeVisible();
  await expect(page.getByLabel(box)).toHaveValue("");
  await page.unroute("**/api/search-products");
  await page.getByLabel(box).fill("siren");
  await page.getByLabel(box).press("Enter");
  await expect(heading(page, "Results for “siren”")).toBeVisible();
});
