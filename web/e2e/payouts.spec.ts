import { axe, expect, heading, press, signIn, test } from "./journey";

const SIMULATORS = process.env.E2E_SIMULATORS_URL ?? "http://127.0.0.1:9000";

/** Of Prairie Remote Start, whose rewards wait for its account. */
const GUS = { first: "Gus", email: "gus.lindqvist@turnkey.example" };
const ACCOUNT = "acct_demo_incomplete_prairie";

test("an owner whose page has expired renews it, sets the payout account up, and is paid", async ({
  page,
}) => {
  const ask = async (path: string, data: object = {}) => {
    const answer = await page.request.post(`${SIMULATORS}/cards${path}`, { data });
    expect(answer.ok(), await answer.text()).toBe(true);
  };
  await ask(`/_accounts/${ACCOUNT}`, { currently_due: ["external_account"] });
  await ask("/_accounts/links?seconds=0");
  await signIn(page, GUS);
  await page.goto("/my-business");
  await expect(heading(page, "My Business")).toBeVisible();
  const account = page.getByRole("region", { name: "Payout account" });
  await press(page, "Renew the page");
  await expect(account.getByText("The page for it has expired.")).toBeVisible();
  const way = account.getByRole("link", { name: "Continue setting it up" });
  await expect(way).toHaveCount(0);
  await axe(page);

  await ask("/_accounts/links?seconds=300");
  await press(page, "Renew the page");
  await expect(way).toBeVisible();
  await axe(page);
  await way.press("Enter");
  await expect(heading(page, "Your payout account")).toBeVisible();
  await press(page, "Submit details");
  await expect(account.getByText("Rewards are paid to this account.")).toBeVisible();
  await expect(page).toHaveURL(/\/my-business$/);
  await expect(account.getByRole("link", { name: "Open the payout account" })).toBeVisible();

  await page.goto("/rewards");
  const payouts = page.getByRole("table", { name: "Payouts" });
  await expect(async () => {
    await page.reload();
    await expect(payouts.getByText("Paid", { exact: true }).first()).toBeVisible({ timeout: 3000 });
  }).toPass();
  await axe(page);
});
