import { axe, expect, signIn, test } from "./journey";
import { ADA } from "./people";

const OPEN = [
  "/",
  "/login",
  "/logout",
  "/offline",
  "/accept-invite",
  "/decline-invite",
  "/change-email-accept",
  "/change-email-decline",
  "/change-email-revert",
  "/dealer-request",
  "/forgot-password",
  "/register",
  "/set-password",
  "/privacy-policy",
  "/return-policy",
  "/activation",
  "/activation/device",
  "/activation/handout",
  "/handout",
  "/activation/select-activation-type",
  "/company-info",
  "/contact-us",
  "/shipping",
  "/terms",
  "/no-such-page",
];
const PRIVATE = [
  "/",
  "/profile",
  "/wiring",
  "/wiring/print",
  "/installer-guides",
  "/audit",
  "/operations",
  "/operations/account",
  "/logout",
];

test("axe finds nothing on any page of a visitor @phone", { tag: "@whole" }, async ({ page }) => {
  test.setTimeout(180_000);
  for (const path of OPEN) {
    await page.goto(path);
    await axe(page);
  }
});

test("axe finds nothing on any page of a visitor in the dark", { tag: "@whole" }, async ({
  page,
}) => {
  test.setTimeout(180_000);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  for (const path of OPEN) {
    await page.goto(path);
    await axe(page);
  }
});

test("axe finds nothing on any page of a signed-in person @phone", { tag: "@whole" }, async ({
  page,
}) => {
  test.setTimeout(180_000);
  await signIn(page, ADA);
  for (const path of PRIVATE) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await axe(page);
  }
});

test("what is typed into has the outline of all else that has the focus", async ({ page }) => {
  await page.goto("/login");
  const email = page.getByLabel("Email");
  await email.focus();
  await expect(email).toHaveCSS("outline-style", "solid");
  const password = page.getByLabel("Password", { exact: true });
  await password.focus();
  await expect(password.locator("..")).toHaveCSS("outline-style", "solid");
});
