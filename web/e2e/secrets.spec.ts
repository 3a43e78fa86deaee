import { createHash } from "node:crypto";
import type { Page } from "@playwright/test";
import { begin, expect, logIn, test } from "./journey";
import { aDevice, IVAN, PASSWORD } from "./stack";

/** Everything that the page keeps on the machine, as one text: storages, databases, caches, readable cookies, history. */
function kept(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const found: unknown[] = [{ ...localStorage }, { ...sessionStorage }, document.cookie];
    found.push(window.name, window.history.state, location.href);
    for (const { name = "" } of await indexedDB.databases()) {
      const db = await new Promise<IDBDatabase>((done, fail) => {
        const opening = indexedDB.open(name);
        opening.onsuccess = () => done(opening.result);
        opening.onerror = () => fail(opening.error);
      });
      for (const store of db.objectStoreNames) {
        const all = db.transaction(store).objectStore(store).getAll();
        found.push(await new Promise((done) => (all.onsuccess = () => done(all.result))));
      }
      db.close();
    }
    for (const name of await caches.keys()) {
      for (const request of await (await caches.open(name)).keys()) found.push(request.url);
    }
    return JSON.stringify(found);
  });
}

function forms(secret: string): string[] {
  const base64 = Buffer.from(secret).toString("base64").replace(/=+$/, "");
  const hash = createHash("sha256").update(secret).digest("hex");
  return [secret, encodeURIComponent(secret), base64.slice(0, -1), hash];
}

test("the browser keeps neither password nor access token, and finds what is planted", async ({
  page,
}) => {
  const tokens: string[] = [];
  page.on("response", async (response) => {
    if (!/\/v1\/auth\/(sign-in|refresh)$/.test(response.url()) || !response.ok()) return;
    const { access_token } = (await response.json()) as { access_token?: string };
    if (access_token) tokens.push(access_token);
  });
  await logIn(page, IVAN, true);
  await page.reload();
  await expect(page.getByRole("button", { name: /^Hi, / })).toBeVisible();
  await begin(page, aDevice("000").key);
  await expect.poll(() => tokens.length).toBeGreaterThan(0);
  const found = await kept(page);
  for (const secret of [PASSWORD, ...tokens]) {
    for (const form of forms(secret)) expect(found.includes(form), "a secret is kept").toBe(false);
  }
  const planted = "Canary+Sings/Loud-73!";
  await page.evaluate((value) => sessionStorage.setItem("planted", value), planted);
  expect(await kept(page)).toContain(planted);
});
