import { choose } from "./cards";
import { axe, expect, heading, press, signIn, tabTo, test } from "./journey";
import { aBuyer } from "./people";
import { aDevice, control, IVAN } from "./stack";
import { Walker } from "./walk";

const CAMRY = "2022,448,2469";
const CAR = "2022 Toyota Camry";
test("a starter for a car says what it needs, and the cart adds it by one click @phone", async ({
  page,
}) => {
  await signIn(page, await aBuyer(page));
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

  await starter.getByRole("button", { name: /^Add to cart: / }).click();
  await expect(page.getByRole("link", { name: "Cart, 1" })).toBeVisible();
  await page.goto("/cart");
  await expect(heading(page, "Cart")).toBeVisible();
  await expect(page.getByText(`${CAR} needs besides:`)).toBeVisible();
  await axe(page);

  await page.goto("/cart/checkout/products");
  await choose(page, /COD/);
  const place = page.getByRole("button", { name: "Place order" });
  await expect(place).toBeEnabled();
  await expect(
    page.getByText(`${CAR} needs besides:`),
    "it warns, and blocks nothing",
  ).toBeVisible();
  await press(page, "Order all the same");
  await expect(page.getByText(`${CAR} needs besides:`)).toHaveCount(0);
  await page.reload();
  await choose(page, /COD/);
  await expect(place).toBeEnabled();
  await expect(page.getByText(`${CAR} needs besides:`), "and once alone").toHaveCount(0);
  await page.goto("/cart");
  await page
    .getByRole("button", { name: /^Add: / })
    .first()
    .click();
  await expect(page.getByText(`${CAR} needs besides:`)).toHaveCount(0);
  await expect(page.getByRole("listitem").filter({ hasText: `For ${CAR}` })).toHaveCount(2);
});

test("the product's page and the order's say for which vehicle @phone", { tag: "@whole" }, async ({
  page,
}) => {
  await signIn(page, await aBuyer(page));
  await page.goto(`/wiring?vehicle=${CAMRY}&slide=modules`);
  await expect(page.getByText(`Fits ${CAR}`).first()).toBeVisible();
  await page.goto("/search?c=remote-start");
  const starter = page
    .getByRole("list", { name: "Products" })
    .getByRole("listitem")
    .filter({ hasText: `Fits ${CAR} with:` })
    .filter({ has: page.getByRole("button", { name: /^Add to cart: / }) })
    .first();
  const name = (await starter.getByRole("heading").textContent()) ?? "";
  await starter.getByRole("heading").getByRole("link").click();
  await expect(heading(page, name)).toBeVisible();
  const head = page.getByRole("main");
  await expect(head.getByText(`Fits ${CAR} with:`).first()).toBeVisible();
  await axe(page);
  await head.getByRole("button", { name: `Add to cart: ${name}` }).click();
  await expect(page.getByRole("link", { name: "Cart, 1" })).toBeVisible();
  await page.goto("/cart/checkout/products");
  await press(page, "Order all the same");
  await choose(page, /COD/);
  await press(page, "Place order");
  await expect(heading(page, "Order Complete")).toBeVisible({ timeout: 60_000 });
  await page.goto("/my-orders");
  await page.getByRole("table", { name: "Orders" }).getByRole("link").first().click();
  await expect(heading(page, /^Order T-\d+$/)).toBeVisible();
  await expect(page.getByRole("list", { name: "Products of the order" })).toContainText(
    `For ${CAR}`,
  );
});

test("a failed test shows the wires of this very car, and its wiring beside the flow @phone @whole", async ({
  page,
}) => {
  const { key } = aDevice();
  const walker = await Walker.signIn(page, IVAN);
  await walker.open(key, "device-testing");
  await control({ device_key: key, refuse_commands: true });
  const arm = page.getByRole("button", { name: "Arm (hold to confirm)", exact: true });
  await arm.focus();
  await page.keyboard.down("Enter");
  await expect(page.getByText("Refused", { exact: true })).toBeVisible();
  await page.keyboard.up("Enter");
  const told = page.getByRole("region", { name: "After the failed test: Arm" });
  await expect(told.getByRole("heading", { name: "Door Lock" })).toBeVisible();
  await expect(told.getByText("Doors, hood and trunk are closed.")).toBeVisible();
  await axe(page);
  await told.getByRole("button", { name: "All wiring of this vehicle" }).click();
  const wiring = page.getByRole("dialog", { name: "Wiring: 2022 Acura ILX" });
  await wiring.getByLabel("Find in all sources").fill("door lock");
  await expect(wiring.getByRole("row").filter({ hasText: "Door Lock" }).first()).toBeVisible();
  await axe(page);
  await wiring.getByRole("button", { name: "Close" }).click();
  await expect(heading(page, "Test the device")).toBeVisible();
});

test("the shop's filter finds a vehicle by the keyboard, and products with their verdicts @phone", {
  tag: "@whole",
}, async ({ page }) => {
  await signIn(page, await aBuyer(page));
  await page.goto("/search");
  await expect(heading(page, "Products")).toBeVisible();
  const filters = page.getByRole("complementary", { name: "Filters" });
  const unfold = filters.getByRole("button", { name: "Filters" });
  if (await unfold.isVisible()) {
    await tabTo(page, unfold);
    await page.keyboard.press("Enter");
  }
  await tabTo(page, filters.getByText("By vehicle", { exact: true }));
  await page.keyboard.press("Enter");
  const search = filters.getByRole("form", { name: "Vehicle search" });
  for (const [name, typed] of [
    ["Year", "2022"],
    ["Make", "Toyota"],
    ["Model", "Camry"],
  ] as const) {
    const field = search.getByLabel(name, { exact: true });
    await expect(field).toBeEnabled();
    await tabTo(page, field);
    await page.keyboard.type(typed);
  }
  await axe(page);
  await tabTo(page, search.getByRole("button", { name: "Search", exact: true }));
  await page.keyboard.press("Enter");
  await expect(heading(page, `Compatible Modules: ${CAR}`)).toBeVisible();
  await expect(page.getByText(`Fits ${CAR}`).first()).toBeVisible();
  await axe(page);

  await page.goto("/search?v=list&c=remote-start");
  await expect(page.getByText(`Shown for ${CAR}`)).toBeVisible();
  const rows = page.getByRole("table", { name: "Products" });
  await expect(rows.getByText(/^Fits with \d more$/).first()).toBeVisible();
  await axe(page);
});
