import { expect, heading, test } from "./journey";

test.use({ locale: "fr-CA", colorScheme: "dark" });

const PAGES = [
  ["/login", "Se connecter", "For dealers"],
  ["/search", "Produits", "Products"],
  ["/activation", "Saisir le numéro de série", "Serial number"],
] as const;

for (const [path, title, english] of PAGES) {
  test(`${path} has its picture before its script, in the language and the look @phone`, async ({
    page,
  }) => {
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    await page.route("**/assets/*.js", async (route) => {
      await held;
      await route.continue();
    });
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
