import { axe, expect, heading, press, signIn, test } from "./journey";

/** Owners of businesses that no other journey enters. */
const OWNERS = {
  desktop: { first: "Harper", email: "harper.gagnon@turnkey.example" },
  phone: { first: "Indigo", email: "indigo.hughes@turnkey.example" },
};

test("an owner sees the business and its team, lets somebody buy and takes that back, and looks at rewards @phone", async ({
  page,
}) => {
  const project = test.info().project.name === "phone" ? "phone" : "desktop";
  await signIn(page, OWNERS[project]);
  await page.goto("/my-business");
  await expect(heading(page, "My Business")).toBeVisible();
  const team = page.getByRole("region", { name: "Team" });
  await expect(team.getByRole("listitem").first()).toContainText("owner");
  await axe(page);

  const lets = team.getByRole("button", { name: /^Let buy: / }).first();
  const name = ((await lets.getAttribute("aria-label")) ?? "").slice("Let buy: ".length);
  await lets.click();
  const takes = team.getByRole("button", { name: `Take the right to buy: ${name}` });
  await expect(takes).toBeVisible();
  await takes.click();
  await expect(team.getByRole("button", { name: `Let buy: ${name}` })).toBeVisible();

  await page.getByLabel("Website").fill("javascript:alert(1)");
  await press(page, "Save the profile");
  await expect(page.getByLabel("Website")).toHaveAttribute("aria-invalid", "true");
  await page.getByLabel("Website").fill("https://shop.example");
  await page.getByLabel("Show this business in the dealer locator").check();
  await press(page, "Save the profile");
  await expect(page.getByRole("article", { name: "Preview" })).toContainText(
    "https://shop.example",
  );
  await page.reload();
  await expect(page.getByLabel("Website")).toHaveValue("https://shop.example");

  await page.goto("/rewards");
  await expect(heading(page, "Rewards")).toBeVisible();
  await expect(page.getByText("Nothing was earned yet.")).toBeVisible();
  await axe(page);
});
