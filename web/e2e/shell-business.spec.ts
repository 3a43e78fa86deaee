import { axe, expect, expectMenuFocus, heading, press, signIn, test } from "./journey";
import { INES, NADIA, OWEN, UMA } from "./people";

const dialog = { name: "Select Business" };

test("a rep selects a business, is seen to act for it, and exits @phone", async ({ page }) => {
  await signIn(page, INES);
  await press(page, "Select Business");
  const modal = page.getByRole("dialog", dialog);
  await expect(modal.getByRole("radio").first()).toBeVisible();
  await expect(modal.getByRole("button", { name: "Confirm" })).toBeDisabled();
  await axe(page);
  await modal.getByLabel("Search by business name or code").fill("harbor car");
  await modal.getByRole("radio", { name: /Harbour Car Audio/ }).check();
  await modal.getByRole("button", { name: "Confirm" }).click();
  await expect(modal).toHaveCount(0);
  const banner = page.getByRole("complementary", { name: "Harbour Car Audio" });
  await expect(banner).toContainText("Acting for Harbour Car Audio (N1001) as Olivia Marchand");
  await axe(page);
  await banner.getByRole("button", { name: "Exit" }).click();
  await expect(banner).toHaveCount(0);
  const bar = page.getByRole("banner");
  await expect(bar.getByRole("button", { name: "Select Business" })).toBeVisible();
});

test("the search forgives, finds by code, and says when there is nothing", {
  tag: "@whole",
}, async ({ page }) => {
  await signIn(page, INES);
  await press(page, "Select Business");
  const modal = page.getByRole("dialog", dialog);
  const search = modal.getByLabel("Search by business name or code");
  await search.fill("n1002");
  await expect(modal.getByRole("radio", { name: /Prairie Remote Start/ })).toBeVisible();
  await search.fill("zzzzqqqq");
  await expect(modal.getByText("No results found")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(modal).toHaveCount(0);
});

test("a business that cannot be chosen is refused in the specs' words, and the one before stays", {
  tag: "@whole",
}, async ({ page }) => {
  await signIn(page, NADIA);
  await press(page, "Select Business");
  const modal = page.getByRole("dialog", dialog);
  await modal.getByRole("radio", { name: /Northern Lights Audio/ }).check();
  await modal.getByRole("button", { name: "Confirm" }).click();
  await expect(modal.getByRole("alert")).toHaveText(
    "Business parter does not have an associated dealer account.",
  );
  await expect(modal.getByRole("radio", { checked: true })).toHaveCount(0);
  await modal.getByRole("radio", { name: /Maritime Mobile/ }).check();
  await modal.getByRole("button", { name: "Confirm" }).click();
  await expect(modal.getByRole("alert")).toContainText(
    "The business you selected does not have a dealer primary account.",
  );
  await axe(page);
  await modal.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("button", { name: "Select Business" })).toBeVisible();
});

test("an outside rep with a business impersonates nobody and has no profile; clearing gives it back", {
  tag: "@whole",
}, async ({ page }) => {
  await signIn(page, OWEN);
  await page.getByRole("button", { name: "Hi, Owen" }).click();
  await page.getByRole("menuitem", { name: "My Profile" }).click();
  await expect(heading(page, "My Profile")).toBeVisible();
  await press(page, "Select Business");
  const modal = page.getByRole("dialog", dialog);
  const first = modal.getByRole("radio").first();
  await first.check();
  await modal.getByRole("button", { name: "Confirm" }).click();
  await expect(heading(page, "Hello, Owen")).toBeVisible();
  await expect(page.getByText(/^Working for /)).toBeVisible();
  await page.getByRole("button", { name: "Hi, Owen" }).click();
  await expect(page.getByRole("menuitem", { name: "Log out" })).toBeVisible();
  await expect(page.getByRole("menuitem", { name: "My Profile" })).toHaveCount(0);
  await expectMenuFocus(page);
  await page.keyboard.press("Escape");
  const told = (await page.getByText(/^Working for /).textContent()) ?? "";
  // in either language
  await press(page, told.replace(/^.* (?:for|pour) (.*) \(.*$/, "$1"));
  await modal.getByRole("button", { name: "Clear Selected Business" }).click();
  await expect(page.getByText(/^Working for /)).toHaveCount(0);
});

test("another tab of the rep learns of the business", { tag: "@whole" }, async ({
  page,
  context,
}) => {
  await signIn(page, INES);
  const other = await context.newPage();
  await other.goto("/");
  await expect(other.getByRole("button", { name: "Hi, Ines" })).toBeVisible();
  await press(page, "Select Business");
  const modal = page.getByRole("dialog", dialog);
  await modal.getByLabel("Search by business name or code").fill("N1002");
  await modal.getByRole("radio", { name: /Prairie/ }).check();
  await modal.getByRole("button", { name: "Confirm" }).click();
  await expect(other.getByText(/Acting for Prairie Remote Start/)).toBeVisible();
  await press(other, "Exit");
  await expect(page.getByText(/Acting for Prairie Remote Start/)).toHaveCount(0);
});

test("an owner of the other country is asked, may stay for good, or is led to the other site @phone", {
  tag: "@whole",
}, async ({ page }) => {
  await signIn(page, UMA);
  const prompt = page.getByRole("dialog", { name: "Is this the right site?" });
  await expect(prompt).toBeVisible();
  await axe(page);
  await prompt.getByLabel("Do not show this again").check();
  await prompt.getByRole("button", { name: "Stay" }).click();
  await expect(prompt).toHaveCount(0);
  await signIn(page, UMA);
  await expect(page.getByText("Unfinished activations")).toBeVisible();
  await expect(prompt).toHaveCount(0);
  await page.evaluate(() => localStorage.clear());
  await signIn(page, UMA);
  await prompt.getByRole("button", { name: "Visit U.S. Site" }).click();
  await expect(page).toHaveURL(/\/\/us\.localhost:\d+\/login$/);
  await expect(page).toHaveTitle("Login | Turnkey USA");
});
