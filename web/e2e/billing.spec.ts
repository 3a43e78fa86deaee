import type { Page } from "@playwright/test";
import { axe, expect, heading, press, signIn, test } from "./journey";
import { OWEN } from "./people";
import { aNumber } from "./stack";

/** Seeded owners, each of another business, whom no other journey knows: saved cards are the business's. */
const owner = (first: string, last: string) => ({
  first,
  email: `${first}.${last}@turnkey.example`.toLowerCase(),
});
const KEEPERS = {
  desktop: { cards: owner("Parker", "Pelletier"), bank: owner("Quinn", "Reid") },
  phone: { cards: owner("Riley", "Singh"), bank: owner("Sasha", "Thompson") },
};

function keeper(what: "cards" | "bank") {
  return KEEPERS[test.info().project.name === "phone" ? "phone" : "desktop"][what];
}

const cards = (page: Page) => page.getByRole("region", { name: "Cards" });
const accounts = (page: Page) => page.getByRole("region", { name: "Bank accounts" });
const rowOf = (page: Page, name: RegExp) => page.getByRole("listitem").filter({ hasText: name });

/** From the menu of a saved method. */
async function choose(page: Page, method: RegExp, what: string) {
  await rowOf(page, method)
    .getByRole("button", { name: /^Actions: / })
    .click();
  await page.getByRole("menuitem", { name: what, exact: true }).click();
}

async function billing(page: Page) {
  await page.goto("/billing");
  await expect(heading(page, "Billing")).toBeVisible();
}

async function fillAddress(page: Page) {
  await page.getByLabel("Country").selectOption("CA");
  await page.getByLabel("Street address").fill("1 Dock Street");
  await page.getByLabel("City").fill("Vancouver");
  await page.getByLabel("Province").selectOption("BC");
  await page.getByLabel("Postal code").fill("v6b 1a1");
}

async function addCard(page: Page, number: string) {
  await cards(page).getByRole("button", { name: "Add a card" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a card" });
  const frame = dialog.frameLocator("iframe");
  await dialog.getByLabel("Name on the card").fill("Parker Pelletier");
  await expect(frame.getByLabel("Card number")).toBeVisible();
  // By keyboard: into the frame, through it and out again.
  const typed = { "Card number": number, Expiry: "1230", "Security code": "123" };
  for (const [label, text] of Object.entries(typed)) {
    await page.keyboard.press("Tab");
    await expect(frame.getByLabel(label)).toBeFocused();
    await page.keyboard.type(text);
  }
  await page.keyboard.press("Tab");
  await expect(dialog.getByLabel("Country")).toBeFocused();
  await fillAddress(page);
  await dialog.getByRole("button", { name: "Add the card" }).click();
  return dialog;
}

test("a card is added in the provider's frame, made the default, undone, hidden, deleted @phone", async ({
  page,
}) => {
  await signIn(page, keeper("cards"));
  const sent: string[] = [];
  page.on("request", (request) => {
    const ours = new URL(request.url()).origin === new URL(page.url()).origin;
    if (ours) sent.push(request.postData() ?? "");
  });
  await billing(page);
  const refused = await addCard(page, "4242 4242 4242 4241");
  await expect(refused.frameLocator("iframe").getByText("This is not a card number")).toBeVisible();
  await axe(page);
  await refused.frameLocator("iframe").getByLabel("Card number").fill("4242 4242 4242 4242");
  await refused.getByRole("button", { name: "Add the card" }).click();
  await expect(refused).toBeHidden();
  await expect(rowOf(page, /4242/)).toContainText("Default");
  await expect(await addCard(page, "5555555555554444")).toBeHidden();
  await axe(page);

  await rowOf(page, /4444/)
    .getByRole("radio", { name: /^Make default/ })
    .press("Space");
  await expect(rowOf(page, /4444/).getByText("Default", { exact: true })).toBeVisible();
  await expect(cards(page).getByText("Default", { exact: true })).toHaveCount(1);
  await press(page, "Undo");
  await expect(rowOf(page, /4242/).getByText("Default", { exact: true })).toBeVisible();

  await choose(page, /4444/, "Edit");
  const edit = page.getByRole("dialog", { name: /^Edit/ });
  await edit.getByLabel("Expiry (MMYY)").fill("1320");
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(edit.getByText("Month and year, as on the card")).toBeVisible();
  await edit.getByLabel("Expiry (MMYY)").fill("0631");
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(edit).toBeHidden();
  await expect(rowOf(page, /4444/)).toContainText("Expires 06/31");

  await choose(page, /4444/, "Hide");
  await expect(rowOf(page, /4444/)).toContainText("Hidden at checkout");
  await choose(page, /4444/, "Delete");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(rowOf(page, /4444/)).toHaveCount(0);
  await page.reload();
  await expect(rowOf(page, /4242/)).toContainText("Default");
  expect(sent.filter((body) => /4242 ?4242|55555555/.test(body))).toEqual([]);
});

test("whoever is in the card's frame before its script types into the number all the same", {
  tag: "@whole",
}, async ({ page }) => {
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  await page.route("**/cards/frame/frame.js", async (route) => {
    await held;
    await route.continue();
  });
  await signIn(page, keeper("bank"));
  await billing(page);
  await cards(page).getByRole("button", { name: "Add a card" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a card" });
  const number = dialog.frameLocator("iframe").getByLabel("Card number");
  await dialog.getByLabel("Name on the card").fill("Parker Pelletier");
  await expect(number).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(dialog.locator("iframe")).toBeFocused();
  await expect(number).not.toBeFocused();
  release();
  await expect(number).toBeFocused();
});

test("what was typed in the card's frame stays when the colours around it change", {
  tag: "@whole",
}, async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await signIn(page, keeper("bank"));
  await billing(page);
  await cards(page).getByRole("button", { name: "Add a card" }).click();
  const frame = page.getByRole("dialog", { name: "Add a card" }).frameLocator("iframe");
  await frame.getByLabel("Card number").fill("4242 4242");
  await expect(frame.locator("html")).toHaveAttribute("data-theme", "light");
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(frame.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(frame.getByLabel("Card number")).toHaveValue("4242 4242");
});

test("a bank account is added, its deposits named wrong and right @phone", async ({ page }) => {
  await signIn(page, keeper("bank"));
  await billing(page);
  await accounts(page).getByRole("button", { name: "Add a bank account" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a bank account" });
  await dialog.getByLabel("Account holder").fill("Reid Auto");
  await dialog.getByLabel("Account type").selectOption("Savings");
  await dialog.getByLabel("Routing number").fill("12345");
  await dialog.getByLabel("Account number").fill(`${10_000_000 + aNumber()}4512`);
  await fillAddress(page);
  await axe(page);
  await dialog.getByRole("button", { name: "Add the bank account" }).click();
  await expect(dialog.getByText("Must have 9 digits")).toBeVisible();
  await dialog.getByLabel("Routing number").fill("000310000");
  await dialog.getByRole("button", { name: "Add the bank account" }).click();
  await expect(dialog).toBeHidden();
  const row = rowOf(page, /Savings •••• 4512/);
  await expect(row).toContainText("Not verified yet");
  await row.getByLabel("First deposit ($)").fill("0.01");
  await row.getByLabel("Second deposit ($)").fill(".02");
  await row.getByRole("button", { name: "Verify" }).click();
  await expect(row.getByRole("alert")).toContainText("These are not the amounts");
  await expect(row).toContainText("2 tries are left.");
  await axe(page);
  await row.getByLabel("First deposit ($)").fill("12");
  await row.getByLabel("Second deposit ($)").fill("0.45");
  await row.getByLabel("Second deposit ($)").press("Enter");
  await expect(row).not.toContainText("Not verified yet");
  await expect(row.getByText("Default", { exact: true })).toBeVisible();
});

test("an outside rep sees the account of the chosen business, without saved methods", {
  tag: "@whole",
}, async ({ page }) => {
  await signIn(page, OWEN);
  await billing(page);
  await expect(page.getByText("Please select a business first.")).toBeVisible();
  await axe(page);
  await press(page, "Select a business");
  await page.getByRole("radio", { name: /Harbour Car Audio/ }).check();
  await press(page, "Confirm");
  await expect(page.getByText(/Saved cards and bank accounts are not open to you/)).toBeVisible();
  await expect(page.getByRole("region", { name: "On account" })).toBeVisible();
  await expect(page.getByText("4242")).toHaveCount(0);
});
