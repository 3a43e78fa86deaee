import { choose, GOOD, saveCard, takenFor } from "./cards";
import { axe, expect, heading, press, signIn, test } from "./journey";
import { owner } from "./people";

/** Of a card of which the provider never answers. */
const AWAY = "4000000000066003";
/** Seeded owners, each of a business whose cards no other journey knows. */
const BUYERS = { desktop: owner("Frankie", "Eriksen"), phone: owner("Elliot", "Dubois") };

test("a card whose provider does not answer is left for another way to pay @phone", {
  tag: "@whole",
}, async ({ page }) => {
  const phone = test.info().project.name === "phone";
  const buyer = phone ? BUYERS.phone : BUYERS.desktop;
  await saveCard(page, buyer, GOOD);
  await saveCard(page, buyer, AWAY);
  await signIn(page, buyer);
  await page.goto("/product/p1");
  await page
    .getByRole("button", { name: /^Add to cart: / })
    .first()
    .click();
  await expect(page.getByRole("link", { name: /^Cart, \d/ })).toBeVisible();
  await page.goto("/cart/checkout/products");
  await choose(page, /6003/);
  await press(page, "Place order");
  await expect(page.getByText(/The payment provider does not answer/)).toBeVisible({
    timeout: 30_000,
  });
  const token = new URL(page.url()).searchParams.get("token") ?? "";
  expect(token).not.toBe("");
  await axe(page);
  await press(page, "Pay in another way");
  await expect(page.getByText("Choose another payment method")).toBeVisible();
  await axe(page);
  await choose(page, /4242/);
  await press(page, "Pay and finish");
  await expect(heading(page, "Order Complete")).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText("Visa •••• 4242")).toBeVisible();
  expect(await takenFor(token)).toBeGreaterThan(0);
});
