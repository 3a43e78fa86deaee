import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { STEADY } from "./buying";
import { GOOD, saveCard } from "./cards";
import { chooseByKeys, expect, heading, signIn, tabTo, test } from "./journey";
import { owner } from "./people";
import { aDevice, aNumber } from "./stack";
import { Walker } from "./walk";

/** A seeded owner whom no other journey knows; the business has ordered for two years. */
const NOEL = owner("Noel", "Mackenzie");
const PLANS = 10;

type Orders = { results: { id: string; number: string; created: string }[] };
type Order = { lines: { sku: string }[] };

/** The last day of the month before this one. */
function lastMonthsEnd(): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 0)).toISOString().slice(0, 10);
}

/** To a link or a button, and pressed. */
async function enter(page: Page, role: "button" | "link" | "row", name: string | RegExp) {
  await tabTo(page, page.getByRole(role, { name, exact: typeof name === "string" }).first());
  await page.keyboard.press("Enter");
}

test("the week's order, last month's by a SKU, ten plans to one day and the receipt, without the mouse", {
  tag: "@whole",
}, async ({ page }) => {
  test.setTimeout(300_000);
  await page.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute("data-printed", "yes");
  });
  const walker = await Walker.signIn(page, NOEL);
  const list = `Week ${aNumber()}`;
  await walker.call("/v1/saved-lists", { name: list, is_shared: false, text: `${STEADY},2` });
  await walker.call("/api/products-checkout/create-b2b", { startNew: true, lines: [] });
  // Last month's latest, or the latest before it where nothing was ordered then.
  const until = lastMonthsEnd();
  const known = (await walker.call("/api/order-transactions", { until, limit: 1 })) as Orders;
  const [former] = known.results;
  if (!former) throw new Error(`the business has ordered nothing until ${until}`);
  expect(former.created.slice(0, 10) <= until, `${former.created} is no day of before`).toBe(true);
  const { lines } = (await walker.read(`/v1/orders/${former.id}`)) as Order;
  await signIn(page, NOEL);

  await test.step("the week's order, from a saved list", async () => {
    await page.goto("/search?qo=true");
    await expect(heading(page, "Quick Order")).toBeVisible();
    await enter(page, "button", "Saved lists");
    await enter(page, "button", `Use ${list}`);
    await expect(page.getByText(/1 can be added/)).toBeVisible();
    await expect(page.getByText(/\$\d+\.\d\d/).first(), "the running total").toBeVisible();
    await enter(page, "button", "Add to cart");
    await expect(page.getByText(/1 product was added/)).toBeVisible();
    await enter(page, "link", "View the cart");
    await expect(heading(page, "Cart")).toBeVisible();
    await enter(page, "link", /^Check out/);
    await expect(heading(page, "Purchase Products")).toBeFocused();
    await chooseByKeys(page, page.getByRole("radio", { name: /COD/ }));
    await enter(page, "button", "Place order");
    await expect(heading(page, "Order Complete")).toBeFocused({ timeout: 60_000 });
  });

  await test.step("last month's, by a SKU", async () => {
    await page.goto(`/my-orders?to=${until}`);
    await tabTo(page, page.getByLabel("PO, order number, SKU or person"));
    await page.keyboard.type(lines[0]?.sku ?? "");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/[?&]s=/);
    await expect(page).toHaveURL(new RegExp(`[?&]to=${until}`));
    await enter(page, "link", former.number);
    await expect(heading(page, `Order ${former.number}`)).toBeFocused();
    await expect(page.getByRole("list", { name: "Products of the order" })).toContainText(
      lines[0]?.sku ?? "",
    );
  });

  await saveCard(page, NOEL, GOOD);
  const keys = Array.from({ length: PLANS }, () => aDevice().key);
  const line_items = keys.map((device_key, place) => ({
    device_key,
    plan_id: place % 2 ? "basic_prepaid-1_year" : "premium_prepaid-1_year",
  }));
  await walker.call("/v1/payments", { line_items });

  await test.step("ten plans to one day", async () => {
    await signIn(page, NOEL);
    await page.goto("/subscriptions?state=active");
    const tabs = page.getByRole("navigation", { name: "Status" });
    await expect(tabs.getByRole("link", { name: /^Active \d/ })).toHaveAttribute(
      "aria-current",
      "page",
    );
    for (const key of keys) {
      const box = page.getByRole("checkbox", { name: key });
      for (let more = 0; more < 5 && !(await box.isVisible()); more += 1) {
        const rows = await page.getByRole("checkbox").count();
        await enter(page, "button", "Show more");
        await expect.poll(() => page.getByRole("checkbox").count()).toBeGreaterThan(rows);
      }
    }
    const boxes = page.getByRole("checkbox");
    const shown = await boxes.evaluateAll((all) =>
      all.map((one) => (one as HTMLInputElement).labels?.[0]?.textContent ?? ""),
    );
    for (const key of shown.filter((one) => keys.includes(one))) {
      await tabTo(page, page.getByRole("checkbox", { name: key }), 3 * shown.length + 150);
      await page.keyboard.press("Space");
    }
    await expect(page.getByText(`${PLANS} devices chosen`)).toBeVisible();
    await enter(page, "button", "Renew to one end date");
    const dialog = page.getByRole("dialog", { name: "Renew to one end date" });
    await expect(dialog.getByLabel("All end on")).toHaveValue(/^\d{4}-\d\d-\d\d$/);
    const day = await dialog.getByLabel("All end on").inputValue();
    await enter(page, "button", "See the price");
    await expect(
      page.getByRole("list", { name: "Devices and plans" }).getByRole("listitem"),
    ).toHaveCount(PLANS);
    await enter(page, "button", /^Pay \$/);
    await expect(heading(page, "Order Complete")).toBeVisible({ timeout: 60_000 });
    const ends = (await walker.read(`/v1/subscriptions?limit=100`)) as {
      results: { device_key: string; ends_at: string }[];
    };
    const days = ends.results
      .filter(({ device_key }) => keys.includes(device_key))
      .map(({ ends_at }) => ends_at.slice(0, 10));
    expect(days).toHaveLength(PLANS);
    expect(new Set(days).size, `all end on ${day}`).toBe(1);
  });

  await test.step("the receipt, printed and kept", async () => {
    await enter(page, "link", "Show the receipt");
    await expect(heading(page, "Receipt")).toBeFocused();
    await enter(page, "button", "Print");
    await expect(page.locator("html")).toHaveAttribute("data-printed", "yes");
    const saved = page.waitForEvent("download");
    await enter(page, "button", "Download as PDF");
    const pdf = await readFile(await (await saved).path());
    expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
  });
});
