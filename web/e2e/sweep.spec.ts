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

const LOOKS = [
  {
    said: "French in the dark",
    locale: "fr-CA",
    colorScheme: "dark",
    tag: ["@whole", "@phone", "@english"],
  },
  {
    said: "English in the light",
    locale: "en-CA",
    colorScheme: "light",
    tag: ["@whole", "@english"],
  },
] as const;

test("what is printed in the dark is dark on white", { tag: "@whole" }, async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("/terms");
  await page.getByRole("heading", { level: 1 }).waitFor();
  const ink = () => page.evaluate(() => getComputedStyle(document.body).color);
  expect(await ink()).toBe("rgb(237, 242, 243)");
  await page.emulateMedia({ media: "print" });
  await expect.poll(ink).toBe("rgb(22, 33, 31)");
});

for (const { said, locale, colorScheme, tag } of LOOKS) {
  test.describe(said, () => {
    test.use({ locale, colorScheme });
    for (const who of ["visitor", "owner", "administrator"] as const) {
      test(`every screen of the ${who} speaks ${said}, and whoever hears or enlarges it is served`, {
        tag: [...tag],
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
              const title = titleOf(ADDRESSES[path]?.lands ?? path);
              await expect
                .poll(async () => (await page.title()).split(" | ")[0], `the title of ${path}`)
                .toBe(locale === "fr-CA" ? inFrench(title) : title);
              await expect(page.locator("html")).toHaveAttribute("lang", locale.slice(0, 2));
              const look = PAPER.has(path) ? "light" : colorScheme;
              await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", look);
              await axe(page);
            })
            .catch((fault: unknown) => wrong.push(`${path}: ${fault}`));
        }
        expect(wrong, "screens that are not as they should be").toEqual([]);
      });
    }
  });
}
