import { axe, expect, heading, press, signIn, test } from "./journey";

const CAMRY = "2022,448,2469";
const CAR = "2022 Toyota Camry";
/** Seeded owners of businesses that no other journey buys for. */
const BUYERS = {
  desktop: { first: "Elliot", email: "elliot.dubois@turnkey.example" },
  phone: { first: "Frankie", email: "frankie.eriksen@turnkey.example" },
};

test("a starter for a car says what it needs, and the cart adds it by one click @phone", async ({
  page,
}) => {
  const project = test.info().project.name === "phone" ? "phone" : "desktop";
  await signIn(page, BUYERS[project]);
  await page.goto(`/wiring?vehicle=${CAMRY}&slide=modules`);
  await expect(page.getByText(`Fits ${CAR}`).first()).toBeVisible();
  await page.goto("/search?c=remote-start");
  await expect(page.getByText(`Shown for ${CAR}`)).toBeVisible();
  const starter = page
    .getByRole("list", { name: "Products" })
    .getByRole("listitem")
    .filter({ hasText: `Fits ${CAR} with:` })
    .first();
  await axe(page);
  if (process.env.LOOK) await page.screenshot({ path: `/tmp/fit-list-${project}.png` });
  await starter.getByRole("button", { name: /^Add to cart: / }).click();
  await expect(page.getByRole("link", { name: "Cart, 1" })).toBeVisible();
  await page.goto("/cart");
  await expect(heading(page, "Cart")).toBeVisible();
  await expect(page.getByText(`${CAR} needs besides:`)).toBeVisible();
  await axe(page);
  if (process.env.LOOK) await page.screenshot({ path: `/tmp/fit-cart-${project}.png`, fullPage: true });
  await page.goto("/cart/checkout/products");
  await expect(page.getByText(`${CAR} needs besides:`)).toBeVisible();
  await press(page, "Order all the same");
  await expect(page.getByText(`${CAR} needs besides:`)).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Place order" })).toBeVisible();
  await page.goto("/cart");
  await page
    .getByRole("button", { name: /^Add: / })
    .first()
    .click();
  await expect(page.getByText(`${CAR} needs besides:`)).toHaveCount(0);
  await expect(page.getByRole("listitem").filter({ hasText: `For ${CAR}` })).toHaveCount(2);
});
