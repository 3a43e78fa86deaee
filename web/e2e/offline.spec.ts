import { axe, expect, heading, press, test } from "./journey";
import { aDevice, CHLOE } from "./stack";
import { Walker } from "./walk";

test.use({ serviceWorkers: "allow" });

const CAMRY = "2022,448,2469";

test("what was opened is there without a signal, a run goes on from there, and the sign-out takes it along", async ({
  page,
  context,
}) => {
  const walker = await Walker.signIn(page, CHLOE);
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

  const { key } = aDevice();
  await walker.open(key, "power-on-device");
  await expect(heading(page, "Power on the device")).toBeVisible();
  const answers = () =>
    page.evaluate(async () => (await (await caches.open("kept-answers")).keys()).length);
  await expect.poll(answers).toBe(2);
  const starts = async () => {
    const requests = await page.evaluate(async () =>
      (await (await caches.open("assets")).keys()).map(({ url }) => url),
    );
    return requests.some((url) => url.includes("/start-from-kept"));
  };
  await expect.poll(starts).toBe(true);

  await context.setOffline(true);
  await page.reload();
  await expect(heading(page, "Power on the device")).toBeVisible();
  await expect(page.getByText(/^As of /)).toBeVisible();
  await press(page, "Keep until there is a signal");
  const waits = page.getByText("Power on the device: waits for a signal, and is sent by itself.");
  await expect(waits).toBeVisible();
  await axe(page);

  await page.getByRole("link", { name: "Read what is kept here" }).click();
  await expect(heading(page, "Kept for reading offline")).toBeVisible();
  const runs = page.getByRole("list", { name: "Activations" });
  await expect(runs.getByText("1 form waits here")).toBeVisible();
  await axe(page);
  await page.getByRole("button", { name: /^2022 Toyota Camry/ }).click();
  await expect(page.getByText(/^as of/)).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "Brake" }).first()).toBeVisible();
  await axe(page);
  await press(page, "All that is kept");
  await expect(page.getByRole("button", { name: /^Security: Checklist/ })).toBeVisible();
  await runs.getByRole("link", { name: new RegExp(key) }).click();
  await expect(waits).toBeVisible();

  await context.setOffline(false);
  await expect(heading(page, "Vehicle details")).toBeVisible();
  await expect(waits).toHaveCount(0);
  await expect(page.getByText(/^As of /)).toHaveCount(0);
  await page.goto("/logout");
  await press(page, "Log out");
  await expect.poll(kept).toBe(0);
  await expect.poll(answers).toBe(0);
  const stored = await page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(stored.filter((path) => /^\/(api|v1|content)\//.test(path))).toEqual([]);
});
