import type { Page } from "@playwright/test";
import { expect, heading, test } from "./journey";
import { IVAN, PASSWORD } from "./stack";

test.use({ locale: "fr-CA", colorScheme: "dark" });

const PAGES = [
  ["/login", "Se connecter", "For dealers"],
  ["/search", "Produits", "Products"],
  ["/activation", "Saisir le numéro de série", "Serial number"],
] as const;

/** Nothing of the kind comes until what is returned is called. */
async function hold(page: Page, kind: string): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  await page.route(kind, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

for (const [path, title, english] of PAGES) {
  // One page tells how it is done; that each of them has a picture, `checks/first-paint.test.ts` asks.
  const tag = ["@english", ...(path === "/search" ? [] : ["@whole"])];
  test(`${path} has its picture before its script, in the language and the look @phone`, {
    tag,
  }, async ({ page }) => {
    const release = await hold(page, "**/assets/*.js");
    await page.goto(path, { waitUntil: "commit" });
    const first = page.locator(".first");
    await expect(first.getByText(title).first()).toBeVisible();
    await expect(first.getByText(english).filter({ visible: true })).toHaveCount(0);
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await paper()).toBe("rgb(16, 23, 27)");

    release();
    await expect(heading(page, title)).toBeVisible();
    await expect(first).toHaveCount(0);
    expect(await paper()).toBe("rgb(16, 23, 27)");
  });
}

test("whoever is signed in sees no login on the way from there", async ({ page }) => {
  await page.request.post("/v1/auth/sign-in", {
    data: { username: IVAN.email, password: PASSWORD, remember_me: true },
  });
  const release = await hold(page, "**/assets/*.js");
  await page.goto("/login", { waitUntil: "commit" });
  const first = page.locator(".first");
  await expect(first.locator(".first-bone").first()).toBeVisible();
  await expect(first.locator(".first-field, .first-press").filter({ visible: true })).toHaveCount(
    0,
  );
  await expect(first.getByText("Se connecter").filter({ visible: true })).toHaveCount(0);

  release();
  await expect(first).toHaveCount(0);
  await expect(page).toHaveURL("/");
});

test("a script that does not come is told, and a press loads the page again @phone", async ({
  page,
}) => {
  await page.route("**/assets/*.js", (route) => route.abort());
  await page.goto("/login?next=%2Fprofile");
  await expect(heading(page, "Erreur de l’application")).toBeVisible();
  await expect(page.getByRole("alert")).toContainText("Revenez bientôt");
  await expect(page.getByText("Mot de passe")).toHaveCount(0);

  await page.unroute("**/assets/*.js");
  await page.getByRole("link", { name: "Réessayer" }).click();
  await expect(heading(page, "Se connecter")).toBeVisible();
  await expect(page).toHaveURL("/login?next=%2Fprofile");
});

test("a page comes without its sheet if that failed before the script was there", async ({
  page,
}) => {
  const release = await hold(page, "**/assets/*.js");
  // Not those of the page's parts, which are asked for by a script.
  await page.route("**/assets/index-*.css", (route) => route.abort());
  const failed = page.waitForEvent("requestfailed", (one) => one.url().endsWith(".css"));
  await page.goto("/login", { waitUntil: "commit" });
  await failed;
  release();
  await expect(heading(page, "Se connecter")).toBeVisible();
});
