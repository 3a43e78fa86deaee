import { axe, expect, heading, press, test } from "./journey";
import { CHLOE } from "./stack";
import { Walker } from "./walk";

test.use({ serviceWorkers: "allow" });

const CAMRY = "2022,448,2469";

test("a vehicle and a guide that were opened can be read without a network, until the sign-out", async ({
  page,
  context,
}) => {
  await Walker.signIn(page, CHLOE);
  await page.goto("/installer-guides?folder=security-guides&document=security-guides-checklist");
  await expect(heading(page, "Security: Checklist before hand-over")).toBeVisible();
  await page.goto(`/wiring?vehicle=${CAMRY}&slide=vehicle`);
  await expect(heading(page, "2022 Toyota Camry")).toBeVisible();
  const kept = () =>
    page.evaluate(async () => (await (await caches.open("kept-reading")).keys()).length);
  await expect.poll(kept).toBe(2);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.reload();
  await expect(heading(page, "2022 Toyota Camry")).toBeVisible();
  await expect
    .poll(() => page.evaluate(() => caches.match("/index").then((found) => found?.status)))
    .toBe(200);

  await context.setOffline(true);
  await page.reload();
  await expect(heading(page, "Kept for reading offline")).toBeVisible();
  const list = page.getByRole("list", { name: "Kept for reading offline" });
  await expect(list.getByRole("button")).toHaveCount(2);
  await axe(page);
  await list.getByRole("button", { name: /^2022 Toyota Camry/ }).click();
  await expect(page.getByText(/^as of/)).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "Brake" }).first()).toBeVisible();
  await axe(page);

  await context.setOffline(false);
  await page.goto("/logout");
  await press(page, "Log out");
  await expect.poll(kept).toBe(0);
  const stored = await page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(stored.filter((path) => /^\/(api|v1|content)\//.test(path))).toEqual([]);
});
