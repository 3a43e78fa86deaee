import { axe, expect, heading, signIn, test } from "./journey";
import { ADA, ANOUK, BEA, INES, OLIVIA, OWEN, owner, RENE } from "./people";
import { CHLOE, IVAN } from "./stack";

test("an owner starts with what waits, and finds an order and a plan by keyboard alone @phone", async ({
  page,
}) => {
  await signIn(page, OLIVIA);
  const orders = page.getByRole("region", { name: "Orders under way" });
  const first = orders.getByRole("link", { name: /^T-\d+$/ }).first();
  const number = (await first.textContent()) ?? "";
  await expect(page.getByRole("region", { name: "Credit" })).toContainText("Left");
  await expect(page.getByRole("region", { name: "What is new" })).toHaveCount(0);
  const plans = page.getByRole("region", { name: "Plans that end within 30 days" });
  const renew = plans.getByRole("button", { name: /^Renew / }).first();
  const device = (await renew.getAttribute("aria-label"))?.split(" ").at(-1) ?? "";
  await axe(page);

  const palette = page.getByRole("dialog", { name: "Find anything" });
  await page.keyboard.press("Control+k");
  await expect(palette.getByRole("combobox")).toBeFocused();
  await page.keyboard.type(number);
  await expect(palette.getByRole("option", { name: number })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await axe(page);
  await page.keyboard.press("Enter");
  await expect(heading(page, new RegExp(number))).toBeFocused();

  await page.keyboard.press("Control+k");
  await expect(palette.getByRole("combobox")).toBeFocused();
  await page.keyboard.type(`renew ${device.toLowerCase()}`);
  await expect(palette.getByRole("option", { name: `Renew ${device}` })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/cart\/checkout\/subscriptions\?uuid=/);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await page.keyboard.press("Control+k");
  await expect(palette.getByRole("combobox")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(palette).toHaveCount(0);
  await page.goto("/");
  const find = page.getByRole("button", { name: "Find anything" });
  await find.press("Enter");
  await expect(palette.getByRole("combobox")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(find).toBeFocused();
});

test("a rep works for a business again, and an administrator sees the operators' figures", {
  tag: "@whole",
}, async ({ page }) => {
  await signIn(page, INES);
  await page.getByRole("button", { name: "Find anything" }).click();
  const palette = page.getByRole("dialog", { name: "Find anything" });
  await expect(palette.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("N1001");
  await palette.getByRole("option", { name: /N1001/ }).click();
  const recent = page.getByRole("region", { name: "Recent businesses" });
  await expect(recent.getByRole("listitem").filter({ hasText: "N1001" })).toContainText("Selected");
  await expect(page.getByRole("region", { name: "Orders under way" })).toBeVisible();
  await axe(page);
  await signIn(page, ADA);
  const figures = page.getByRole("region", { name: "Operations" });
  await expect(figures).toBeVisible();
  await expect(page.getByRole("region", { name: "Unfinished activations" })).toHaveCount(0);
  await axe(page);
  await figures.getByRole("link", { name: "Stuck" }).click();
  await expect(heading(page, "Operations")).toBeVisible();
});

/** What may stand on a start page, whoever looks at it. */
const PARTS = [
  "Unfinished activations",
  "Orders under way",
  "Credit",
  "Recent businesses",
  "Operations",
  "What is new",
  "Plans that end within 30 days",
  "What waits for your approval",
  "What of yours waits for an approval",
  "Open cases",
  "Open to you",
];
const BUYERS = ["Unfinished activations", "Orders under way", "Credit"];
/** Not there while there is none of them. */
const PLANS = "Plans that end within 30 days";
const OF_BUYERS = [PLANS, "Open cases"];

for (const [role, who, stands, may] of [
  ["owner", owner("Gus", "Lindqvist"), BUYERS, [...OF_BUYERS, "What waits for your approval"]],
  ["installer", IVAN, ["Unfinished activations"], [PLANS]],
  ["accountant", ANOUK, ["Unfinished activations"], [PLANS]],
  ["purchaser", CHLOE, BUYERS, [...OF_BUYERS, "What of yours waits for an approval"]],
  ["outside rep", OWEN, ["Recent businesses"], []],
  ["inside rep", INES, ["Unfinished activations", "Recent businesses"], []],
  ["consumer", BEA, ["Unfinished activations"], []],
  ["retired", RENE, ["Open to you"], []],
] as const) {
  test(`the start page has what is for this role and nothing else: ${role}`, {
    tag: "@whole",
  }, async ({ page }) => {
    const prompt = page.getByRole("dialog", { name: "Is this the right site?" });
    await page.addLocatorHandler(prompt, () =>
      prompt.getByRole("button", { name: "Stay" }).click(),
    );
    await signIn(page, who);
    for (const name of stands) await expect(page.getByRole("region", { name })).toBeVisible();
    const others = PARTS.filter((name) => ![...stands, ...may].some((one) => one === name));
    for (const name of others)
      await expect(page.getByRole("region", { name }), name).toHaveCount(0);
    await axe(page);
  });
}
