import { axe, expect, heading, press, signIn, test } from "./journey";
import { OLIVIA } from "./people";
import { PASSWORD } from "./stack";

/** Owners of businesses that no other journey enters. */
const OWNERS = {
  desktop: { first: "Harper", email: "harper.gagnon@turnkey.example" },
  phone: { first: "Indigo", email: "indigo.hughes@turnkey.example" },
};

test("an owner sees the business and its team, lets somebody buy and takes that back, and looks at rewards @phone", async ({
  page,
}) => {
  const project = test.info().project.name === "phone" ? "phone" : "desktop";
  await signIn(page, OWNERS[project]);
  await page.goto("/my-business");
  await expect(heading(page, "My Business")).toBeVisible();
  const account = page.getByRole("region", { name: "Account", exact: true });
  await expect(account).toContainText(/Account balance\$.*Credit limit\$/);
  await expect(account.getByRole("link", { name: /invoice/ }).first()).toBeVisible();
  const team = page.getByRole("region", { name: "Team" });
  await expect(team.getByRole("listitem").first()).toContainText("owner");
  await axe(page);

  const lets = team.getByRole("button", { name: /^Let buy: / }).first();
  const name = ((await lets.getAttribute("aria-label")) ?? "").replace(/^.*?: /, "");
  await lets.click();
  const takes = team.getByRole("button", { name: `Take the right to buy: ${name}` });
  await expect(takes).toBeVisible();
  await takes.click();
  await expect(team.getByRole("button", { name: `Let buy: ${name}` })).toBeVisible();

  await page.getByLabel("Website").fill("javascript:alert(1)");
  await press(page, "Save the profile");
  await expect(page.getByLabel("Website")).toHaveAttribute("aria-invalid", "true");
  await page.getByLabel("Website").fill("https://shop.example");
  await page.getByLabel("Show this business in the dealer locator").check();
  const saved = page.waitForResponse(
    (answer) => answer.request().method() === "PATCH" && answer.ok(),
  );
  await press(page, "Save the profile");
  await expect(page.getByRole("article", { name: "Preview" })).toContainText(
    "https://shop.example",
  );
  await saved;
  await page.reload();
  await expect(page.getByLabel("Website")).toHaveValue("https://shop.example");

  await page.goto("/rewards");
  await expect(heading(page, "Rewards")).toBeVisible();
  await expect(page.getByText("Nothing was earned yet.")).toBeVisible();
  await axe(page);
});

type Rewards = { results: { device_key: string; earned_at: string }[] };

test("a reward of the early morning stands on its UTC day in a browser at UTC−8 @whole", async ({
  browser,
}) => {
  const context = await browser.newContext({
    baseURL: test.info().project.use.baseURL,
    locale: test.info().project.use.locale,
    timezoneId: "America/Los_Angeles",
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  const signedIn = await page.request.post("/v1/auth/sign-in", {
    data: { username: OLIVIA.email, password: PASSWORD, remember_me: true },
  });
  const { access_token } = (await signedIn.json()) as { access_token: string };
  const answer = await page.request.get(
    "/v1/dealers/harbour/device-rewards?installer_id=ivan&limit=100",
    { headers: { Authorization: `Bearer ${access_token}` } },
  );
  const { results } = (await answer.json()) as Rewards;
  const early = results.find(({ earned_at }) => new Date(earned_at).getUTCHours() < 7);
  if (!early) throw new Error("no reward of the demo data was earned before seven");
  const day = early.earned_at.slice(0, 10);

  await page.goto(`/rewards/ivan?from=${day}&to=${day}`);
  await expect(heading(page, "Employee Rewards")).toBeVisible();
  const row = page.getByRole("row", { name: new RegExp(early.device_key) });
  const said = new Intl.DateTimeFormat("en-CA", { dateStyle: "medium", timeZone: "UTC" });
  await expect(row).toContainText(said.format(new Date(early.earned_at)));
  await row.getByRole("link", { name: early.device_key }).click();
  await expect(page).toHaveURL(/activation\/device\?id=/);
  await expect(page.getByText(early.device_key).first()).toBeVisible();

  await page.goto("/rewards");
  await expect(page.getByRole("region", { name: "By month" }).getByRole("meter")).not.toHaveCount(
    0,
  );
  await expect(page.getByRole("table", { name: "Rewards" })).toContainText("Ivan Petrov");
  await expect(page.getByRole("table", { name: "What a device earns" })).toContainText("FT-X1");
  await axe(page);
  await context.close();
});
