import type { Page } from "@playwright/test";
import { choose } from "./cards";
import { anotherBrowser, axe, expect, heading, press, signIn, test } from "./journey";
import { aNewcomer, message, OLIVIA } from "./people";
import { aDevice } from "./stack";

const STEADY = "FT-IT-0001-STD";
const WAITING = "What waits for your approval";

test("a purchaser's order waits, and an owner approves it @phone", async ({ page, browser }) => {
  const { newcomer, reason } = await aLimitedPurchaser(page);

  const theirs = await anotherBrowser(browser, page);
  await addToCart(theirs, newcomer);
  await signIn(theirs, newcomer);
  await theirs.goto("/cart/checkout/products");
  await expect(theirs.getByLabel("Reason (for the owner)")).toBeVisible();
  await theirs.getByLabel("Reason (for the owner)").fill(reason);
  await theirs.getByRole("radio", { name: /TERMS|terms/ }).check();
  await press(theirs, "Ask for approval");
  await expect(theirs.getByText("Waits for an approval")).toBeVisible();
  await expect(theirs.getByText(`Your reason: ${reason}`)).toBeVisible();
  await axe(theirs);
  await page.goto("/");
  const row = page
    .getByRole("region", { name: WAITING })
    .getByRole("row")
    .filter({ hasText: reason });
  await expect(row).toBeVisible();
  await axe(page);
  expect(await message(OLIVIA.email, new RegExp(reason))).toContain("/approvals/");
  await row.getByRole("link").press("Enter");
  await expect(heading(page, /^Order of Noor Haddad/)).toBeVisible();
  await expect(page.getByText(STEADY)).toBeVisible();
  await press(page, "Reject");
  await expect(page.getByText("Please say why.")).toBeVisible();
  await axe(page);
  await page.getByLabel(/^A word with it/).fill("Go ahead");
  await press(page, "Approve");
  await expect(page.getByText(/Answered by Olivia Marchand/)).toBeVisible();
  await expect(heading(theirs, "Order Complete")).toBeVisible();
  await page.getByRole("link", { name: "All approvals" }).press("Enter");
  await expect(heading(page, "Approvals")).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: reason })).toHaveCount(0);
  await axe(page);
  await theirs.context().close();
});

test("a purchaser's plan waits, and an owner approves it on the phone @phone-first", {
  tag: "@whole",
}, async ({ page, browser }) => {
  const { newcomer, reason } = await aLimitedPurchaser(page);
  const { key } = aDevice();
  const theirs = await anotherBrowser(browser, page);
  await signIn(theirs, newcomer);
  await theirs.goto("/subscriptions/plans");
  await theirs.getByRole("textbox", { name: "Serial number" }).fill(key);
  await press(theirs, "Add the device");
  await press(theirs, "Choose the plan");
  await theirs.getByRole("radio", { name: /^Premium .*Basic Plan \+ GPS Tracking/ }).check();
  await press(theirs, "Choose the term");
  await theirs.getByRole("radio", { name: /^1 year/ }).check();
  await press(theirs, "Add to cart");
  await theirs.getByRole("link", { name: "Purchase the plans" }).press("Enter");
  await expect(heading(theirs, "Purchase Service")).toBeVisible();
  await theirs.getByLabel("Reason (for the owner)").fill(reason);
  await choose(theirs, /4242/);
  await axe(theirs);
  await theirs.getByRole("button", { name: /^Ask for approval/ }).press("Enter");
  await expect(theirs.getByText("Waiting for an approval").first()).toBeVisible();
  await expect(theirs.getByText(`Your reason: ${reason}`)).toBeVisible();
  await axe(theirs);

  expect(await message(OLIVIA.email, new RegExp(reason))).toContain("?kind=purchase");
  await page.goto("/approvals");
  const row = page
    .getByRole("region", { name: WAITING })
    .getByRole("row")
    .filter({ hasText: reason });
  await expect(row).toContainText("A plan for 1 device");
  await axe(page);
  await row.getByRole("link").press("Enter");
  await expect(heading(page, /^Purchase of Noor Haddad/)).toBeVisible();
  await expect(page.getByText(key)).toBeVisible();
  await page.getByLabel(/^A word with it/).fill("Go ahead");
  await axe(page);
  await press(page, "Approve");
  await expect(page.getByText(/Answered by Olivia Marchand/)).toBeVisible();
  await expect(heading(theirs, "Order Complete")).toBeVisible();
  await axe(page);
  await theirs.context().close();
});

/** Somebody whose orders above ten dollars need an approval, and what they say of it. Olivia is signed in. */
async function aLimitedPurchaser(page: Page) {
  const newcomer = await aNewcomer(page);
  await signIn(page, OLIVIA);
  await page.goto("/my-business");
  const person = page
    .getByRole("region", { name: "Team" })
    .getByRole("listitem")
    .filter({ hasText: newcomer.email });
  await person.getByRole("button", { name: /^Let buy/ }).press("Enter");
  const limits = person.getByRole("button", { name: /^Limits/ });
  await expect(limits).toBeEnabled();
  await limits.press("Enter");
  await person.getByLabel("Needs an approval above").fill("10");
  await person.getByLabel("Most per month").fill("5000");
  await person.getByRole("button", { name: /^Save limits/ }).press("Enter");
  await expect(person.getByText("Saved.")).toBeVisible();
  await axe(page);
  return { newcomer, reason: `For the van of ${newcomer.email}` };
}

type Person = { email: string; password: string };

/** One piece, by the calls that the search makes. */
async function addToCart(page: Page, { email, password }: Person): Promise<void> {
  const signedIn = await page.request.post("/v1/auth/sign-in", {
    data: { username: email, password },
  });
  const { access_token } = (await signedIn.json()) as { access_token: string };
  const headers = { Authorization: `Bearer ${access_token}` };
  const found = await page.request.get(`/api/product-by-sku/${STEADY}`, { headers });
  const product = (await found.json()) as { defaultVariant: { id: string } };
  const lines = [{ variantId: product.defaultVariant.id, quantity: 1 }];
  const begun = await page.request.post("/api/products-checkout/create-b2b", {
    headers,
    data: { startNew: true, lines },
  });
  expect(begun.ok(), await begun.text()).toBe(true);
}
