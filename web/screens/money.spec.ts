import { expect, type Page, test } from "@playwright/test";
import { anOrder } from "../e2e/buying";
import { GOOD, saveCard } from "../e2e/cards";
import { canStart } from "../e2e/journey";
import { ADA, OLIVIA, owner } from "../e2e/people";
import { aDevice, aNumber, CHLOE, control, IVAN } from "../e2e/stack";
import { Walker } from "../e2e/walk";
import { signInAs, take } from "./opening";

/** Of each width and theme another business: their carts and cards are their own. */
const BUYERS: Readonly<Record<string, typeof OLIVIA>> = {
  desktop: owner("Dana", "Campbell"),
  phone: owner("Gus", "Lindqvist"),
  dark: owner("Noel", "Nguyen"),
  french: owner("Oakley", "Olsen"),
  "phone-french-dark": owner("Kerry", "Kowalski"),
};

const buyer = () => BUYERS[test.info().project.name] ?? OLIVIA;

const KEEP = /^(Keep until there is a signal|Garder jusqu)/;

type Case = { id: string; cause: string; belongs_to: { id: string } };

test("a case, as operators and as its buyer see it @french @phone", async ({ page }) => {
  const ada = await Walker.signIn(page, ADA);
  const { results } = (await ada.read("/v1/operations/cases?ended=false")) as { results: Case[] };
  const lost = results.find(({ cause }) => cause === "run_lost");
  if (!lost) throw new Error("there is no case of a lost run");
  await page.goto(`/operations/case?id=${lost.id}`);
  await expect(page.getByRole("main").getByRole("textbox").first()).toBeVisible();
  await take(page, "case-operators");
  await signInAs(page, OLIVIA);
  const told = page.waitForResponse(/\/v1\/orders\/\w+\/cases$/);
  await page.goto(`/order/${lost.belongs_to.id}`);
  await told;
  await take(page, "case-buyer");
});

test("an order that can be cancelled @french @phone", async ({ page }) => {
  const { id } = await anOrder(page, buyer(), `PICTURE ${aNumber()} ERP-DOWN`);
  await page.goto(`/order/${id}`);
  const cancel = page.getByRole("button", { name: /^(Cancel this order|Annuler cette commande)/ });
  await expect(cancel).toBeVisible();
  await take(page, "order-to-cancel");
  await cancel.click();
  await expect(page.getByRole("main").getByRole("textbox").first()).toBeVisible();
  await take(page, "order-cancel");
});

test("a purchase of plans that waits in part @french @phone", async ({ page }) => {
  await saveCard(page, buyer(), GOOD);
  const token = await signInAs(page, buyer());
  const devices = [aDevice().key, aDevice().key];
  await control({ device_key: devices[1], plan_refusals: 1 });
  const answer = await page.request.post("/v1/payments", {
    headers: { Authorization: `Bearer ${token}` },
    data: {
      line_items: devices.map((device_key) => ({ device_key, plan_id: "basic_prepaid-1_year" })),
    },
  });
  const { uuid, id } = (await answer.json()) as { uuid?: string; id?: string };
  await page.goto(`/cart/checkout/subscriptions?uuid=${uuid ?? id}`);
  await expect(page.getByRole("button", { name: new RegExp(`${devices[1]}$`) })).toBeVisible();
  await take(page, "plans-wait-in-part");
});

test("a receipt of plans @french @phone", async ({ page }) => {
  await saveCard(page, buyer(), GOOD);
  const walker = await Walker.signIn(page, buyer());
  const item = { device_key: aDevice().key, plan_id: "basic_prepaid-1_year" };
  const bought = await walker.call("/v1/payments", { line_items: [item] });
  const { uuid, id } = bought as { uuid?: string; id?: string };
  await page.goto(`/subscriptions/receipts?uuid=${uuid ?? id}`);
  await expect(page.getByRole("main").getByText(item.device_key).first()).toBeVisible();
  await take(page, "receipt");
});

test("forms that are kept, and what is unfinished @french @phone", async ({ page, context }) => {
  const walker = await Walker.signIn(page, IVAN);
  const { key } = aDevice("050");
  await walker.open(key, "keylocker-mode");
  await expect(page.getByRole("radio").first()).toBeVisible();
  await context.setOffline(true);
  await page.getByRole("radio").last().check();
  await page.getByRole("button", { name: KEEP }).click();
  await expect(page.getByRole("main").locator("q")).toBeVisible();
  await take(page, "form-kept-offline");
  await context.setOffline(false);
  await expect(page.getByRole("button", { name: KEEP })).toHaveCount(0);
  await take(page, "form-kept");
  await page.locator("[data-waiting]").click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await take(page, "forms-kept");
  await page.goto("/activation");
  await expect(page.getByRole("link", { name: key })).toBeVisible();
  await take(page, "unfinished");
});

test.describe("without a signal", () => {
  test.use({ serviceWorkers: "allow" });

  test("what is kept for reading @french @phone", async ({ page, context }) => {
    const walker = await Walker.signIn(page, CHLOE);
    const { key } = aDevice();
    const id = await walker.open(key, "power-on-device");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect.poll(() => kept(page)).toBe(2); // who, and the run
    await page.goto(`/devices/${key}`);
    await expect.poll(() => kept(page)).toBe(3);
    await page.goto("/devices");
    await expect.poll(() => kept(page)).toBe(4);
    await canStart(page);
    await context.setOffline(true);
    for (const [name, path] of [
      ["offline", "/offline"],
      ["offline-next", "/rewards"],
      ["offline-run", `/activation/device?id=${id}`],
      ["offline-device", `/devices/${key}`],
      ["offline-devices", "/devices"],
    ] as const) {
      await page.goto(path);
      await take(page, name);
    }
  });
});

/** How many answers are kept. */
function kept(page: Page): Promise<number> {
  return page.evaluate(async () => (await (await caches.open("kept-answers")).keys()).length);
}
