import type { Locator, Page } from "@playwright/test";
import { aCart } from "./buying";
import { GOOD, saveCard } from "./cards";
import { anInvoice, businessOf, shown, boxOf as tickOf } from "./invoicing";
import { expect, heading, signIn, test } from "./journey";
import { ADA, INES, OLIVIA, owner } from "./people";
import { aDevice, aNumber } from "./stack";
import { Walker } from "./walk";

/** Seeded owners whom no other journey knows: each width has a cart of its own. */
const BUYERS = { 1300: owner("Indigo", "Hughes"), 390: owner("Harper", "Gagnon") };

async function boxOf(one: Locator) {
  await expect(one).toBeVisible();
  const box = await one.boundingBox();
  if (!box) throw new Error(`${one} has no place on the page`);
  return box;
}

/** In sight, wherever the page is scrolled to. */
async function expectInReach(page: Page, button: Locator) {
  for (const at of ["top", "end"] as const) {
    await page.evaluate((to) => scrollTo(0, to === "top" ? 0 : document.body.scrollHeight), at);
    const scrolled = () => page.evaluate(() => Math.round(scrollY));
    if (at === "top") await expect.poll(scrolled, "at the top").toBe(0);
    else await expect.poll(scrolled, "a page longer than the screen").toBeGreaterThan(0);
    const box = await boxOf(button);
    expect(box.y, `${button} at the ${at}`).toBeGreaterThanOrEqual(0);
    expect(box.y + box.height, `${button} at the ${at}`).toBeLessThanOrEqual(860);
  }
}

/** The place where the content of a box begins. */
async function contentLeft(one: Locator): Promise<number> {
  await expect(one).toBeVisible();
  return one.evaluate((box) => {
    const { left } = box.getBoundingClientRect();
    return left + Number.parseFloat(getComputedStyle(box).paddingLeft);
  });
}

test("rows, columns, settings and edges stand where they should", { tag: "@whole" }, async ({
  page,
}) => {
  await page.setViewportSize({ width: 1300, height: 860 });
  await signIn(page, OLIVIA);

  for (const [path, table] of [
    ["/search?v=list", "Products"],
    ["/subscriptions", "Customer Subscriptions"],
    ["/my-orders", "Orders"],
  ] as const) {
    await page.goto(path);
    const rows = page
      .getByRole("table", { name: table })
      .locator("tbody > tr")
      .filter({ hasText: /./ });
    await expect(rows.first()).toBeVisible();
    const heights = await rows.evaluateAll((all) =>
      all.map((one) => one.getBoundingClientRect().height),
    );
    for (const height of heights) expect(height, `a row of ${path}`).toBeGreaterThanOrEqual(44);
    expect(Math.min(...heights), `a row of one line of ${path}`).toBeLessThanOrEqual(46);
    expect(Math.max(...heights), `a row of ${path} with a long text`).toBeLessThanOrEqual(64);
  }

  const title = await contentLeft(heading(page, "My Orders"));
  const foot = page.getByRole("contentinfo").getByRole("button", { name: "All links" });
  const logo = page.getByRole("link", { name: "Turnkey, to the dashboard" });
  for (const one of [logo, foot, page.getByRole("main")]) {
    const left = await contentLeft(one);
    expect(Math.abs(left - title), `the left edge of ${one}`).toBeLessThanOrEqual(1);
  }

  await page.goto("/search");
  const cards = page.getByRole("list", { name: "Products" }).getByRole("listitem");
  await expect(cards.nth(7)).toBeVisible();
  const tops = await cards.evaluateAll((all) =>
    all.map((one) => Math.round(one.getBoundingClientRect().top)),
  );
  expect(
    tops.filter((top) => top === tops[0]),
    "products beside each other",
  ).toHaveLength(4);

  for (const path of ["/profile", "/billing", "/my-business"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const sections = page.locator("main section:has(> h2)");
    await expect(sections.first()).toBeVisible();
    const parted = await sections.evaluateAll((all) =>
      all.map((section) => {
        const name = section.querySelector("h2")?.getBoundingClientRect();
        const what = [...section.children].find((one) => !one.matches("h2, h2 + p"));
        const fields = what?.getBoundingClientRect();
        const gaps = [...section.children]
          .filter((one) => !one.matches("h2, h2 + p"))
          .map((one) => one.getBoundingClientRect())
          .map((box, place, boxes) => box.top - (boxes[place - 1]?.bottom ?? box.top));
        return {
          beside: !name || !fields || fields.left >= name.right,
          level: !name || !fields || Math.abs(fields.top - name.top) < 24,
          gap: Math.max(0, ...gaps),
        };
      }),
    );
    for (const part of parted) {
      expect(part, path).toMatchObject({ beside: true, level: true });
      expect(part.gap, `between two parts of ${path}`).toBeLessThanOrEqual(48);
    }
  }
});

for (const width of [1300, 390] as const) {
  test(`a cart's line is low and Place order in reach at ${width}`, { tag: "@whole" }, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 860 });
    const buyer = BUYERS[width];
    await aCart(page, buyer, 2);
    await signIn(page, buyer);
    await page.goto("/cart");
    const line = page.getByRole("list", { name: "Products in the cart" }).getByRole("listitem");
    // On a phone what can be done with it has a row of its own.
    const most = width === 1300 ? 64 : 144;
    expect((await boxOf(line)).height).toBeLessThanOrEqual(most);
    await page.goto("/cart/checkout/products");
    const order = page.getByRole("button", { name: "Place order" });
    await expectInReach(page, order);
    const total = order.locator("xpath=ancestor::*[contains(., '$')][1]");
    const [price, press] = [await boxOf(total), await boxOf(order)];
    expect(price.y, "the total beside it").toBeLessThanOrEqual(press.y + press.height);
  });
}

test("what pays for plans and invoices is in reach on a phone", { tag: "@whole" }, async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 860 });
  const buyer = BUYERS[390];
  await saveCard(page, buyer, GOOD);
  const set = `INV-E2E-${aNumber()}`;
  const numbers = Array.from({ length: 6 }, (_, n) => `${set}-${n + 10}`);
  const business = await businessOf(page, buyer);
  await Promise.all(numbers.map((number) => anInvoice(business, number)));
  await signIn(page, buyer);
  const walker = await Walker.signIn(page, buyer);
  const items = Array.from({ length: 6 }, () => ({
    device_key: aDevice().key,
    plan_id: "basic_prepaid-1_year",
  }));
  const priced = await walker.call("/v1/payments?validate=true", { line_items: items });
  await page.goto(`/cart/checkout/subscriptions?uuid=${(priced as { uuid: string }).uuid}`);
  await expectInReach(page, page.getByRole("button", { name: /^Pay \$/ }));

  await shown(page, `${set}-`, numbers.length);
  for (const number of numbers) await tickOf(page, number).check();
  await page.getByRole("link", { name: "Pay", exact: true }).click();
  await expect(heading(page, "Pay Invoices")).toBeVisible();
  await expectInReach(page, page.getByRole("button", { name: /^Pay \$/ }));
});

/** Words of a button that reach over its edge, or the button over the screen's. */
function cut(button: Element, said: string): boolean {
  const words = button.querySelector("span") ?? button;
  words.textContent = said;
  const [box, text] = [button.getBoundingClientRect(), words.getBoundingClientRect()];
  const isOver = text.left < box.left || text.right > box.right + 1;
  return isOver || text.top < box.top || text.bottom > box.bottom + 1 || box.right > innerWidth;
}

test("who is worked for is never cut, in either language", {
  tag: ["@whole", "@english"],
}, async ({ page }) => {
  await signIn(page, INES);
  for (const [language, words] of [
    ["en", "Select Business"],
    ["fr", "Choisir l’entreprise"],
  ] as const) {
    await page.evaluate((one) => localStorage.setItem("language", one), language);
    for (const width of [1300, 390]) {
      await page.setViewportSize({ width, height: 860 });
      await page.reload();
      const chooser = page.getByRole("banner").getByRole("button", { name: words });
      await expect(chooser).toBeVisible();
      const button = await chooser.elementHandle();
      for (const name of [words, "Société québécoise des démarreurs à distance ltée"])
        expect(await button?.evaluate(cut, name), `${name} at ${width}`).toBe(false);
    }
  }
});

for (const [who, lists] of [
  [
    OLIVIA,
    [
      ["/subscriptions/receipts", "Rows per page"],
      ["/team", "Step"],
      ["/my-orders", "Sort by"],
      ["/invoice", "Sort by"],
    ],
  ],
  [
    ADA,
    [
      ["/audit", "Outcome"],
      ["/operations", "Kind"],
    ],
  ],
] as const) {
  test(`filters are behind one button on a phone, for ${who.first}`, { tag: "@whole" }, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 390, height: 860 });
    await signIn(page, who);
    for (const [path, label] of lists) {
      await page.goto(path);
      const filters = page.getByRole("button", { name: /^Filters/ });
      await expect(filters).toBeVisible();
      await expect(page.getByLabel(label, { exact: true }), path).toBeHidden();
      await filters.click();
      await expect(page.getByLabel(label, { exact: true }), path).toBeVisible();
    }
  });
}
