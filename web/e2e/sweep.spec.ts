import { addressesOf, filled, samples, type Who } from "../screens/addresses";
import { axe, expect, test } from "./journey";
import { ADA, OLIVIA } from "./people";
import { PASSWORD } from "./stack";

const PEOPLE = { visitor: undefined, owner: OLIVIA, administrator: ADA } satisfies Record<
  Who,
  unknown
>;
/** Made for paper. */
const PAPER = new Set(["/wiring/print"]);

test.use({ locale: "fr-CA", colorScheme: "dark" });

for (const who of ["visitor", "owner", "administrator"] as const) {
  test(`every screen of the ${who} speaks French in the dark, and whoever hears or enlarges it is served @phone`, {
    tag: "@whole",
  }, async ({ page }) => {
    test.setTimeout(600_000);
    const found = await samples(page, { username: OLIVIA.email, password: PASSWORD });
    await page.context().clearCookies();
    const person = PEOPLE[who];
    if (person) {
      await page.request.post("/v1/auth/sign-in", {
        data: { username: person.email, password: PASSWORD, remember_me: true },
      });
    }
    for (const [path, to] of addressesOf(who)) {
      if (PAPER.has(path)) continue;
      await test.step(path, async () => {
        await page.goto(filled(to, found));
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await expect(page.locator("html")).toHaveAttribute("lang", "fr");
        await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
        await axe(page);
      });
    }
  });
}
