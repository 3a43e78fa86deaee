import type { Page } from "@playwright/test";
import { expect, signIn, test } from "./journey";
import { ADA, BEA, INES, OLIVIA, OWEN } from "./people";
import { CHLOE, IVAN } from "./stack";

/** What a page says to somebody whom it is not for. */
const REFUSALS = /not open to you|Page Not Found|does not exist|You may not|not allowed/i;
/** Shell spec 6 offers Billing to an outside rep too, who reads the documents there and pays with nothing. */
const SAID_OF_METHODS: Record<string, string> = { "/billing": "not open to you" };

/** Whoever belongs to the other country is asked where they are, on the first page that they see. */
async function stayOnThisSite(page: Page) {
  const prompt = page.getByRole("dialog", { name: "Is this the right site?" });
  await page.addLocatorHandler(
    prompt,
    async () => {
      await prompt.getByLabel("Do not show this again").check();
      await prompt.getByRole("button", { name: "Stay" }).click();
    },
    { times: 1 },
  );
}

async function workFor(page: Page, business: string) {
  await page.getByRole("banner").getByRole("button", { name: "Select Business" }).click();
  const modal = page.getByRole("dialog", { name: "Select Business" });
  await modal.getByLabel("Search by business name or code").fill(business);
  await modal.getByRole("radio", { name: new RegExp(business) }).check();
  await modal.getByRole("button", { name: "Confirm" }).click();
  const banner = page.getByRole("complementary", { name: business });
  await expect(banner).toContainText(new RegExp(`(Acting|Working) for ${business}`)); // an outside rep acts as nobody
}

/** The pages that the palette, the foot of the page, the top bar and the person's menu offer. */
async function offered(page: Page): Promise<Set<string>> {
  const found = new Set<string>();
  const take = async () => {
    const links = page.locator("a[href^='/']");
    for (const one of await links.evaluateAll((all) => all.map((a) => a.getAttribute("href"))))
      if (one) found.add(one);
  };
  await page.getByRole("button", { name: /^Hi, / }).click();
  await expect(page.getByRole("menuitem", { name: "Log out" })).toBeVisible();
  await take();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "All links" }).click();
  await take();
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Find anything" });
  await expect(palette.getByRole("option").first()).toBeVisible();
  const places = await palette
    .locator("[cmdk-item]")
    .evaluateAll((all) => all.map((one) => one.getAttribute("data-value")));
  for (const place of places) if (place?.startsWith("/")) found.add(place);
  expect(places.length, "the palette has pages").toBeGreaterThan(5);
  await page.keyboard.press("Escape");
  return found;
}

for (const { who, business } of [
  { who: IVAN },
  { who: CHLOE },
  { who: OLIVIA },
  { who: BEA },
  { who: INES },
  { who: INES, business: "Harbour Car Audio" },
  { who: OWEN },
  { who: OWEN, business: "Harbour Car Audio" },
  { who: ADA },
] as { who: { email: string; first: string }; business?: string }[]) {
  test(`no link that is offered to ${who.first}${business ? " for a business" : ""} refuses them`, {
    tag: "@whole",
  }, async ({ page }) => {
    test.setTimeout(300_000);
    await stayOnThisSite(page);
    await signIn(page, who);
    if (business) await workFor(page, business);
    const refused: string[] = [];
    page.on("response", (answer) => {
      const path = new URL(answer.url()).pathname;
      // a rep without a business is asked to choose one
      if (answer.status() === 409 && !business && (who === INES || who === OWEN)) return;
      if (/^\/(v1|api)\//.test(path) && answer.status() >= 400)
        refused.push(`${page.url()}: ${answer.status()} ${path}`);
    });
    const places = await offered(page);
    places.delete("/logout");
    for (const place of places) {
      await page.goto(place);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.locator("[aria-busy=true], .mantine-Skeleton-root")).toHaveCount(0);
      const said = (await page.getByRole("main").textContent()) ?? "";
      const refusal = REFUSALS.exec(said)?.[0];
      if (refusal && !(who === OWEN && SAID_OF_METHODS[place] === refusal))
        refused.push(`${place}: ${refusal}`);
      const at = new URL(page.url()).pathname;
      if (at !== place.split("?")[0]) refused.push(`${place}: sent to ${at}`);
    }
    expect(refused).toEqual([]);
  });
}
