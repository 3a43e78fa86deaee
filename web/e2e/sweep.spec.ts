import { ADDRESSES, screensOf, type Who } from "../screens/addresses";
import { open, samples, signInAs } from "../screens/opening";
import { inFrench, titleOf } from "../screens/titles";
import { axe, expect, test } from "./journey";
import { ADA, OLIVIA } from "./people";

const PEOPLE = { visitor: undefined, owner: OLIVIA, administrator: ADA } satisfies Record<
  Who,
  unknown
>;
/** Made for paper: black on white, whatever was chosen. */
const PAPER = new Set(["/wiring/print"]);

test.use({ locale: "fr-CA", colorScheme: "dark" });

test("what is printed in the dark is dark on white", { tag: "@whole" }, async ({ page }) => {
  await page.goto("/terms");
  await page.getByRole("heading", { level: 1 }).waitFor();
  const ink = () => page.evaluate(() => getComputedStyle(document.body).color);
  expect(await ink()).toBe("rgb(237, 242, 243)");
  await page.emulateMedia({ media: "print" });
  await expect.poll(ink).toBe("rgb(22, 33, 31)");
});

for (const who of ["visitor", "owner", "administrator"] as const) {
  test(`every screen of the ${who} speaks French in the dark, and whoever hears or enlarges it is served @phone`, {
    tag: "@whole",
  }, async ({ page }) => {
    test.setTimeout(600_000);
    const found = await samples(page, OLIVIA);
    await page.context().clearCookies();
    const person = PEOPLE[who];
    if (person) await signInAs(page, person);
    const wrong: string[] = [];
    for (const path of screensOf(who)) {
      await test
        .step(path, async () => {
          await open(page, path, found);
          const title = inFrench(titleOf(ADDRESSES[path]?.lands ?? path));
          await expect
            .poll(async () => (await page.title()).split(" | ")[0], `the title of ${path}`)
            .toBe(title);
          await expect(page.locator("html")).toHaveAttribute("lang", "fr");
          const look = PAPER.has(path) ? "light" : "dark";
          await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", look);
          await axe(page);
        })
        .catch((fault: unknown) => wrong.push(`${path}: ${fault}`));
    }
    expect(wrong, "screens that are not as they should be").toEqual([]);
  });
}
