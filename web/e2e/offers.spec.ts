import type { Page } from "@playwright/test";
import { expect, signIn, test } from "./journey";
import { ADA, ANOUK, BEA, INES, OLIVIA, OWEN, RENE } from "./people";
import { CHLOE, IVAN } from "./stack";

/** What a page says to somebody whom it is not for. */
const REFUSALS = /not open to you|Page Not Found|does not exist|You may not|not allowed/i;
/** Billing is offered to an outside rep (shell spec 6) and an accountant too, who read the documents there and pay with nothing. */
const READERS: readonly { email: string }[] = [OWEN, ANOUK];
const SAID_OF_METHODS: Record<string, string> = { "/billing": "not open to you" };

/** Whose business has no code of this country's is asked where they are; what they open meanwhile would close. */
async function stayOnThisSite(page: Page) {
  const prompt = page.getByRole("dialog", { name: "Is this the right site?" });
  await prompt.getByLabel("Do not show this again").check();
  await prompt.getByRole("button", { name: "Stay" }).click();
  await expect(prompt).toHaveCount(0);
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

/** Of things, brands and categories the same page shows every one: in a path or as these in the query. */
const ONE_OF_MANY = ["b", "c", "device", "id", "token", "uuid"];

function pageOf(link: string): string {
  const { pathname, searchParams } = new URL(link, "http://portal");
  if (searchParams.get("b") === "approved") return link;
  for (const name of ONE_OF_MANY) if (searchParams.has(name)) searchParams.set(name, "…");
  return `${pathname.replace(/\/[^/]*\d[^/]*/g, "/…")}?${searchParams}`;
}

/** The pages that the palette, the foot of the page, the top bar and the person's menu offer, by one link to each. */
async function offered(page: Page): Promise<string[]> {
  const found = new Map<string, string>();
  const add = (link: string | null) => {
    if (link?.startsWith("/") && !found.has(pageOf(link))) found.set(pageOf(link), link);
  };
  const take = async () => {
    const links = page.locator("a[href^='/']");
    for (const one of await links.evaluateAll((all) => all.map((a) => a.getAttribute("href"))))
      add(one);
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
  for (const place of places) add(place);
  expect(places.length, "the palette has pages").toBeGreaterThan(5);
  await page.keyboard.press("Escape");
  found.delete(pageOf("/logout"));
  return [...found.values()];
}

type Routed = { __TSR_ROUTER__: { navigate(to: { href: string }): Promise<void> } };

/** As a press on the link does, which is over once the page has changed: no new start of the browser's own. */
async function follow(page: Page, href: string) {
  await page.evaluate(
    (to) => (window as unknown as Routed).__TSR_ROUTER__.navigate({ href: to }),
    href,
  );
}

for (const { who, business } of [
  { who: IVAN },
  { who: CHLOE },
  { who: ANOUK },
  { who: OLIVIA },
  { who: BEA },
  { who: INES },
  { who: INES, business: "Harbour Car Audio" },
  { who: OWEN },
  { who: OWEN, business: "Harbour Car Audio" },
  { who: RENE },
  { who: ADA },
] as { who: { email: string; first: string }; business?: string }[]) {
  test(`no link that is offered to ${who.first}${business ? " for a business" : ""} refuses them`, {
    tag: "@whole",
  }, async ({ page }) => {
    test.setTimeout(300_000);
    await signIn(page, who);
    if (who === BEA) await stayOnThisSite(page);
    if (business) await workFor(page, business);
    const refused: string[] = [];
    page.on("response", (answer) => {
      const path = new URL(answer.url()).pathname;
      if (/^\/(v1|api)\//.test(path) && answer.status() >= 400)
        refused.push(`${page.url()}: ${answer.status()} ${path}`);
    });
    for (const place of await offered(page)) {
      await follow(page, place);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.locator("[aria-busy=true], .mantine-Skeleton-root")).toHaveCount(0);
      const said = (await page.getByRole("main").textContent()) ?? "";
      const refusal = REFUSALS.exec(said)?.[0];
      if (refusal && !(READERS.includes(who) && SAID_OF_METHODS[place] === refusal))
        refused.push(`${place}: ${refusal}`);
      const at = new URL(page.url()).pathname;
      if (at !== place.split("?")[0]) refused.push(`${place}: sent to ${at}`);
    }
    expect(refused).toEqual([]);
  });
}
