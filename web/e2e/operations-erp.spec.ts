import { axe, expect, heading, press, signIn, test } from "./journey";
import { ADA, aNewcomer } from "./people";
import { aNumber } from "./stack";

const SIMULATORS = process.env.E2E_SIMULATORS_URL ?? "http://127.0.0.1:9000";

async function atTheErp(record: Record<string, unknown>): Promise<void> {
  const answer = await fetch(`${SIMULATORS}/erp/_records`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ entity: "Items", records: [record] }),
  });
  if (!answer.ok) throw new Error(`the ERP took no record: ${answer.status}`);
}

test("an administrator sees what the ERP's data lacks, and it is sold once it is mended there", {
  tag: "@whole",
}, async ({ page }) => {
  test.setTimeout(120_000);
  const code = `CS-NEW-${1_000 + aNumber()}`;
  await atTheErp({
    ItemCode: code,
    ItemName: `Northern Starter ${code}`,
    ItemsGroupCode: 9999,
    Manufacturer: 1,
    ItemPrices: [{ PriceList: 1, Price: 99.5, Currency: "USD" }],
    ItemWarehouseInfoCollection: [{ WarehouseCode: "01", InStock: 6, Committed: 0, Ordered: 0 }],
  });
  await signIn(page, ADA);
  await page.goto("/operations");
  await page.getByRole("link", { name: "Compared with the ERP" }).click();
  await expect(heading(page, "Compared with the ERP")).toBeVisible();
  await press(page, "Compare now");
  const differences = page.getByRole("table", { name: "Differences" });
  const bad = differences.getByRole("row").filter({ hasText: code });
  await expect(bad).toContainText("no name for item group 9999", { timeout: 30_000 });
  await axe(page);

  await atTheErp({ ItemCode: code, ItemsGroupCode: 101 });
  await press(page, "Compare now");
  await expect(async () => {
    await page.goto(`/search?s=${code}`);
    await expect(page.getByRole("link", { name: new RegExp(code) }).first()).toBeVisible({
      timeout: 3_000,
    });
  }).toPass({ timeout: 70_000 });
});

test("what is new at the ERP and what comes into stock there is sold here within minutes", {
  tag: "@whole",
}, async ({ page }) => {
  test.setTimeout(240_000);
  const code = `CS-FEED-${1_000 + aNumber()}`;
  const stock = (pieces: number) => [
    { WarehouseCode: "01", InStock: pieces, Committed: 0, Ordered: 0 },
  ];
  await atTheErp({
    ItemCode: code,
    ItemName: `Southern Starter ${code}`,
    ItemsGroupCode: 101,
    Manufacturer: 1,
    ItemPrices: [{ PriceList: 1, Price: 99.5, Currency: "USD" }],
    ItemWarehouseInfoCollection: stock(0),
  });
  const buyer = await aNewcomer(page);
  await signIn(page, buyer);
  const found = page.getByRole("link", { name: new RegExp(code) }).first();
  await expect(async () => {
    await page.goto(`/search?s=${code}`);
    await expect(found).toBeVisible({ timeout: 3000 });
  }).toPass({ timeout: 90_000 });
  await found.press("Enter");
  await expect(heading(page, new RegExp(code))).toBeVisible();
  await expect(page.getByText("$99.50").first()).toBeVisible();
  await expect(page.getByText("On backorder").first()).toBeVisible();
  await axe(page);

  await atTheErp({ ItemCode: code, ItemWarehouseInfoCollection: stock(500) });
  await expect(async () => {
    await page.reload();
    await expect(page.getByText("In stock").first()).toBeVisible({ timeout: 3000 });
  }).toPass({ timeout: 90_000 });
  await expect(page.getByText("On backorder")).toHaveCount(0);
});
