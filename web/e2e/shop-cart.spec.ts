import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { axe, expect, heading, press, signIn, test } from "./journey";
import { INES } from "./people";
import { aNumber, PASSWORD } from "./stack";

/** Seeded owners, each of another business: a cart is its person's, so no two journeys share one. */
const owner = (first: string, last: string) => ({
  first,
  email: `${first}.${last}@turnkey.example`.toLowerCase(),
});
const BUYERS = {
  desktop: [owner("Dana", "Dubois"), owner("Elliot", "Eriksen")],
  phone: [owner("Frankie", "Fournier"), owner("Gale", "Gagnon")],
};
const CASEY = owner("Casey", "Campbell");
/** Of whose cart no journey looks at what is in it, so that more than one may fill it. */
const BLAIR = owner("Blair", "Bouchard");

function buyer(which: 0 | 1) {
  const project = test.info().project.name === "phone" ? "phone" : "desktop";
  return BUYERS[project][which] ?? CASEY;
}

const cartOf = (page: Page) => page.getByRole("list", { name: "Products in the cart" });
const STEADY = "FT-IT-0001-STD";
const PACKED = "IS-BM-0103-STD";
const AWAITED = "FT-TH-0101-STD";
const SHUT = "SK-SD-0110-S";

test("a dealer puts a product into the cart, changes the number, takes it out and back @phone", async ({
  page,
}) => {
  await begin(page, buyer(0));
  await page.goto("/cart");
  await expect(heading(page, "Cart")).toBeVisible();
  await expect(page.getByText("Your cart is empty.")).toBeVisible();
  await axe(page);
  await page.getByLabel("Search products or SKUs").fill(PACKED);
  await page.getByLabel("Search products or SKUs").press("Enter");
  const name = /iDataStart A585 Transponder Bypass/;
  await expect(heading(page, name)).toBeVisible();
  await page.getByRole("button", { name: /^One more: iDataStart A585/ }).click();
  await expect(page.getByText("3 more fill a case of 5.")).toBeVisible();
  await page
    .getByRole("button", { name: /^Add to cart: iDataStart A585/ })
    .first()
    .click();
  await expect(page.getByRole("link", { name: "Cart, 2" })).toBeVisible();
  await axe(page);
  await page.getByRole("link", { name: "Cart, 2" }).click();
  const line = cartOf(page).getByRole("listitem");
  await expect(line).toHaveCount(1);
  await line.getByLabel(/^Quantity: /).fill("12");
  await line.getByLabel(/^Quantity: /).press("Enter");
  await expect(page.getByRole("link", { name: "Cart, 9+" })).toBeVisible();
  const totals = page.getByRole("region", { name: "Totals" });
  await expect(totals.getByText("Shipping: Ground")).toBeVisible();
  await expect(totals).not.toContainText("CUSTOM SAP");
  await axe(page);
  await line.getByRole("button", { name: /^Remove: / }).click();
  await expect(page.getByText("Your cart is empty.")).toBeVisible();
  await press(page, "Undo");
  await expect(line.getByLabel(/^Quantity: /)).toHaveValue("12");
});

test("rows are pasted, judged, added in part; the rest says why and is reported @phone @whole", async ({
  page,
}) => {
  await begin(page, buyer(1));
  await page.goto("/search?qo=true");
  await expect(heading(page, "Quick Order")).toBeVisible();
  await axe(page);
  if (test.info().project.name === "phone")
    for (const label of ["SKU", "Quantity"])
      expect(await saidAbove(page.getByLabel(`${label}, row 1`)), "a card's label").toBe(label);
  await page.getByLabel("SKU, row 1").fill(STEADY.toLowerCase());
  await page.getByLabel("SKU, row 1").press("Enter");
  await page.keyboard.type("2");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("SKU, row 2")).toBeFocused();
  await paste(page, `${AWAITED}\t4\n${SHUT}\t1\n=1+1\t1\nAC0003STD-OLD\t1\n${STEADY}\tmany`);
  await expect(page.getByText(/3 can be added/)).toBeVisible();
  await expect(page.getByText(/3 cannot be added/)).toBeVisible();
  await expect(page.getByText(/4 of them later/)).toBeVisible();
  await expect(page.getByText("Not available for purchase")).toBeVisible();
  await expect(page.getByText("No product has this SKU")).toBeVisible();
  await expect(page.getByText(/Called .* now/)).toBeVisible();
  await axe(page);
  await press(page, "Add to cart");
  await expect(page.getByText(/3 products were added/)).toBeVisible();
  await expect(page.getByLabel("SKU, row 1")).toHaveValue(SHUT);
  await expect(page.getByLabel("SKU, row 2")).toHaveValue("=1+1");
  const saved = page.waitForEvent("download");
  await press(page, "Download the report");
  const report = await readFile(await (await saved).path(), "utf8");
  expect(report).toContain("'=1+1");
  expect(report.trim().split("\r\n")).toHaveLength(7);
  await page.getByRole("link", { name: "View the cart" }).click();
  await expect(cartOf(page).getByRole("listitem")).toHaveCount(3);
  await expect(page.getByText(/4 later, expected/)).toBeVisible();
  await axe(page);
});

test("the week's rows are named, rounded up, kept as a list and opened again @phone @whole", async ({
  page,
}) => {
  await begin(page, BLAIR);
  await page.goto("/search?qo=true");
  await page.getByLabel("SKU, row 1").fill("hood pin");
  await page.getByLabel("SKU, row 1").press("Enter");
  const names = page.getByRole("list", { name: "Perhaps one of these" });
  await names
    .getByRole("button", { name: /Hood Pin/ })
    .first()
    .press("Enter");
  await expect(page.getByText(/1 can be added/)).toBeVisible();
  await page.getByLabel("SKU, row 2").fill(PACKED);
  await page.getByLabel("Quantity, row 2").fill("3");
  const up = page.getByRole("button", { name: /^Round up to / });
  const whole = (await up.textContent())?.match(/\d+/)?.[0] ?? "";
  await up.press("Enter");
  await expect(page.getByLabel("Quantity, row 2")).toHaveValue(whole);
  await expect(page.getByText(/2 can be added/)).toBeVisible();
  await axe(page);
  const list = `Week ${aNumber()} ${test.info().project.name}`;
  await press(page, "Save as a list");
  await page.getByLabel("Name").fill(list);
  await axe(page);
  await page.getByLabel("Name").press("Enter");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await press(page, "Add to cart");
  await expect(page.getByText(/2 products were added/)).toBeVisible();
  await press(page, "Saved lists");
  await expect(page.getByRole("row", { name: new RegExp(list) })).toContainText("Yours alone");
  await axe(page);
  await press(page, `Use ${list}`);
  await expect(page.getByLabel("Quantity, row 2")).toHaveValue(whole);
  await expect(page.getByText(/2 can be added/)).toBeVisible();
});

test("a file is read, and one that is none is refused in words", { tag: "@whole" }, async ({
  page,
}) => {
  await begin(page, BLAIR);
  await page.goto("/search?qo=true");
  const picker = page.getByLabel("CSV or XLSX file");
  const csv = `\ufeffSKU;Quantité\r\n"${STEADY}";"3"\r\n`;
  await picker.setInputFiles({ name: "order.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  await expect(page.getByLabel("SKU, row 1")).toHaveValue(STEADY);
  await expect(page.getByText(/1 can be added/)).toBeVisible();
  const none = { name: "order.xlsx", mimeType: "", buffer: Buffer.from("no workbook") };
  await picker.setInputFiles(none);
  await expect(page.getByText(/This file cannot be read/)).toBeVisible();
  await expect(page.getByLabel("SKU, row 1")).toHaveValue(STEADY);
});

test("a visitor's product is in the cart once they have logged in", { tag: "@whole" }, async ({
  page,
}) => {
  await emptyCart(page, CASEY);
  await page.goto("/search?s=transponder");
  await page
    .getByRole("button", { name: /^Add to cart: / })
    .first()
    .click();
  await expect(heading(page, "Log in")).toBeVisible();
  await page.getByLabel("Email").fill(CASEY.email);
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await press(page, "Log in");
  await expect(page).toHaveURL(/\/search\?s=transponder/);
  await expect(page.getByRole("link", { name: "Cart, 1" })).toBeVisible();
});

test("a page with an old cart loses nothing: both carts are put together", {
  tag: "@whole",
}, async ({ page }) => {
  await begin(page, owner("Alex", "Abbott"));
  await page.goto("/product/p1");
  const add = page.getByRole("button", { name: /^Add to cart: / }).first();
  await add.click();
  await expect(page.getByRole("link", { name: "Cart, 1" })).toBeVisible();
  const other = await page.context().newPage();
  await other.goto("/cart");
  await press(other, "Start a new cart");
  await expect(other.getByText("Carts that were put away")).toBeVisible();
  await add.click();
  await expect(page.getByText("This cart has been replaced by a newer one")).toBeVisible();
  await axe(page);
  await press(page, "Put both together");
  await expect(cartOf(page).getByLabel(/^Quantity: /)).toHaveValue("2");
});

test("a rep is asked for a business first, and each business has its cart", {
  tag: "@whole",
}, async ({ page }) => {
  await signIn(page, INES);
  await page.goto("/product/p1");
  await page
    .getByRole("button", { name: /^Add to cart: / })
    .first()
    .click();
  const modal = page.getByRole("dialog", { name: "Select Business" });
  await modal.getByLabel("Search by business name or code").fill("N1001");
  await modal.getByRole("radio", { name: /Harbour Car Audio/ }).check();
  await modal.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByRole("link", { name: /^Cart, \d\+?$/ })).toBeVisible();
  await press(page, "Harbour Car Audio");
  await modal.getByLabel("Search by business name or code").fill("N1002");
  await modal.getByRole("radio", { name: /Prairie/ }).check();
  await modal.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByText(/Acting for Prairie/)).toBeVisible();
  await expect(page.getByRole("link", { name: "Cart", exact: true })).toBeVisible();
});

/** What a phone writes above a field, as its column has no head there. */
function saidAbove(field: Locator): Promise<string> {
  return field.evaluate((one) => {
    const cell = one.closest("td");
    return cell ? getComputedStyle(cell, "::before").content.replaceAll('"', "") : "";
  });
}

/** Signed in, with nothing in the cart, whatever a journey before has left there. */
async function begin(page: Page, person: { email: string }): Promise<void> {
  await emptyCart(page, person);
  await signIn(page, person);
}

async function emptyCart(page: Page, { email }: { email: string }): Promise<void> {
  const signedIn = await page.request.post("/v1/auth/sign-in", {
    data: { username: email, password: PASSWORD },
  });
  const { access_token } = (await signedIn.json()) as { access_token: string };
  const headers = { Authorization: `Bearer ${access_token}` };
  const begun = await page.request.post("/api/products-checkout/create-b2b", {
    headers,
    data: { startNew: true },
  });
  expect(begun.status(), await begun.text()).toBe(200);
  await page.context().clearCookies();
}

/** As from a spreadsheet, into the field that has the focus. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((held) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", held);
    document.activeElement?.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
    );
  }, text);
}
