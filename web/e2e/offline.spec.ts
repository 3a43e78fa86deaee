import type { Page } from "@playwright/test";
import {
  anotherBrowser,
  axe,
  canStart,
  expect,
  heading,
  listen,
  press,
  test,
  typeSignIn,
} from "./journey";
import { aDevice, CHLOE, crash, IVAN } from "./stack";
import { Walker } from "./walk";

test.use({ serviceWorkers: "allow" });

const CAMRY = "2022,448,2469";

test("a run that was opened is there at a start without a signal and goes on from there, and the sign-out takes it along", {
  tag: "@phone",
}, async ({ page, context }) => {
  const walker = await Walker.signIn(page, CHLOE);
  const { key } = aDevice();
  await walker.open(key, "power-on-device");
  await expect(heading(page, "Power on the device")).toBeVisible();
  await canStart(page);
  await expect.poll(() => stored(page)).toContain(key);

  await context.setOffline(true);
  await page.reload();
  await expect(heading(page, "Power on the device")).toBeVisible();
  await expect(page.getByText(/^As of /)).toBeVisible();
  await press(page, "Keep until there is a signal");
  const waits = page.getByText("Power on the device: waits for a signal, and is sent by itself.");
  await expect(waits).toBeVisible();
  await axe(page);
  await page.getByRole("link", { name: "Read what is kept here" }).click();
  const runs = page.getByRole("list", { name: "Activations" });
  await expect(runs.getByText("1 form waits here")).toBeVisible();
  await axe(page);
  await runs.getByRole("link", { name: new RegExp(key) }).click();
  await expect(waits).toBeVisible();

  await context.setOffline(false);
  await expect(heading(page, "Vehicle details")).toBeVisible();
  await expect(waits).toHaveCount(0);
  await expect(page.getByText(/^As of /)).toHaveCount(0);
  await leavesNothing(page, key);
});

test("devices, vehicles and guides are there in a new tab without a signal, and a page that was never opened comes by itself", {
  tag: ["@whole", "@phone"],
}, async ({ page, context, faults }) => {
  const kept = () =>
    page.evaluate(async () => (await (await caches.open("kept-answers")).keys()).length);
  const walker = await Walker.signIn(page, CHLOE);
  const { key } = aDevice();
  await walker.open(key, "power-on-device");
  await expect(heading(page, "Power on the device")).toBeVisible();
  await expect.poll(kept).toBe(2); // who, and the run
  await page.goto(`/devices/${key}`);
  await expect(page.getByRole("heading", { name: "Activations" })).toBeVisible();
  await expect.poll(kept).toBe(3);
  await page.goto("/devices");
  await expect(page.getByRole("link", { name: key })).toBeVisible();
  await expect.poll(kept).toBe(4);
  await page.goto("/installer-guides?folder=security-guides&document=security-guides-checklist");
  await expect(heading(page, "Security: Checklist before hand-over")).toBeVisible();
  await page.goto(`/wiring?vehicle=${CAMRY}&slide=vehicle`);
  await expect(heading(page, "2022 Toyota Camry")).toBeVisible();
  await canStart(page);
  await context.setOffline(true);

  const cold = await context.newPage();
  listen(cold, faults);
  await cold.goto(`/devices/${key}`);
  await expect(heading(cold, key)).toBeVisible();
  await expect(cold.getByText(/^As of /)).toBeVisible();
  await axe(cold);
  await cold.goto("/devices");
  await expect(cold.getByRole("link", { name: key })).toBeVisible();
  await axe(cold);
  await cold.goto("/rewards");
  await expect(heading(cold, "Kept for reading offline")).toBeVisible();
  await expect(cold.getByText(/^The page that you opened is not kept here\./)).toBeVisible();
  await expect(cold.getByRole("list", { name: "Devices" }).getByRole("link")).toHaveCount(2);
  await axe(cold);
  await cold.getByRole("button", { name: /^2022 Toyota Camry/ }).click();
  await expect(cold.getByText(/^as of/)).toBeVisible();
  await expect(cold.getByRole("listitem").filter({ hasText: "Brake" }).first()).toBeVisible();
  await axe(cold);
  await press(cold, "All that is kept");
  await expect(cold.getByRole("button", { name: /^Security: Checklist/ })).toBeVisible();

  await context.setOffline(false);
  await expect(heading(cold, "Rewards")).toBeVisible();
  await expect(cold).toHaveURL(/\/rewards$/);
  await cold.close();
  await leavesNothing(page, key);
  await Walker.signIn(page, IVAN);
  await page.goto("/offline");
  await expect(page.getByText(/^Nothing is kept in this browser\./)).toBeVisible();
});

test("whoever signed in on the page has the run that they opened then at a start without a signal", {
  tag: "@whole",
}, async ({ browser, page, context }) => {
  const other = await anotherBrowser(browser, page);
  const walker = await Walker.signIn(other, CHLOE);
  const { key } = aDevice();
  const id = await walker.open(key, "power-on-device");
  await other.context().close();
  await page.goto(`/login?next=${encodeURIComponent(`/activation/device?id=${id}`)}`);
  await canStart(page);
  await typeSignIn(page, CHLOE, true);
  await expect(heading(page, "Power on the device")).toBeVisible();
  await expect.poll(() => stored(page)).toContain(key);
  for (const script of ["/devices._key-", "/nav-links-", "/mobile-menu-"])
    await expect.poll(() => scripts(page)).toContain(script);

  await context.setOffline(true);
  await page.reload();
  await expect(heading(page, "Power on the device")).toBeVisible();
  await expect(page.getByText(/^As of /)).toBeVisible();
  await press(page, "Menu");
  await expect(page.getByRole("dialog", { name: "Menu" }).getByRole("link").first()).toBeVisible();
});

test("whoever signs in after somebody whose sign-in ran out is shown nothing of theirs", {
  tag: "@whole",
}, async ({ page, context }) => {
  const walker = await Walker.signIn(page, CHLOE);
  const { key } = aDevice();
  await walker.open(key, "power-on-device");
  await canStart(page);
  await expect.poll(() => stored(page)).toContain(key);
  await context.clearCookies();
  await Walker.signIn(page, IVAN);
  await page.goto("/devices");
  await expect(heading(page, "Devices")).toBeVisible();
  await expect.poll(() => stored(page)).not.toContain(key);
  await context.setOffline(true);
  await page.goto("/offline");
  await expect(heading(page, "Kept for reading offline")).toBeVisible();
  await expect(page.getByRole("link", { name: new RegExp(key) })).toHaveCount(0);
});

test("a run that was opened is there while the server is out of reach, and goes on by itself when it is back", {
  tag: ["@whole", "@alone"],
}, async ({ page }) => {
  const walker = await Walker.signIn(page, CHLOE);
  const { key } = aDevice();
  const id = await walker.open(key, "power-on-device");
  await expect(heading(page, "Power on the device")).toBeVisible();
  await canStart(page);
  await expect.poll(() => stored(page)).toContain(key);
  await crash("kill", "api");
  try {
    await page.reload();
    await expect(heading(page, "Power on the device")).toBeVisible();
    await expect(page.getByText(/^As of /)).toBeVisible();
  } finally {
    await crash("restart", "api");
  }
  // A server may take its time to start, and is looked for every eight seconds.
  await expect(page.getByText(/^As of /)).toHaveCount(0, { timeout: 60_000 });
  await walker.walk(id, "set-vehicle-details");
  await expect(heading(page, "Vehicle details")).toBeVisible();
});

/** The addresses of the scripts that are kept. */
function scripts(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const requests = await (await caches.open("assets")).keys();
    return requests.map(({ url }) => url).join("\n");
  });
}

/** All that the browser keeps and a script can read. */
function stored(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const texts = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })];
    texts.push(document.cookie, JSON.stringify(await indexedDB.databases()));
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        texts.push(request.url);
        const isOurs = ["assets", "pictures"].includes(name); // the same for everybody
        if (!isOurs) texts.push((await (await cache.match(request))?.text()) ?? "");
      }
    }
    return texts.join("\n");
  });
}

async function leavesNothing(page: Page, key: string): Promise<void> {
  await page.goto("/logout");
  await press(page, "Log out");
  await expect(heading(page, "You are logged out")).toBeVisible();
  for (const own of [key, CHLOE.email, "Harbour Car Audio", "Camry"])
    await expect.poll(() => stored(page), `nothing tells of ${own}`).not.toContain(own);
  const urls = await page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(urls.filter((path) => /^\/(api|v1|content)\//.test(path))).toEqual([]);
}
