import {
  anotherBrowser,
  axe,
  begin,
  expect,
  heading,
  press,
  signIn,
  test,
  toVerify,
} from "./journey";
import { aDevice, CHLOE, control, IVAN, OLIVIA } from "./stack";

test("the sign-in page names what is missing and what is wrong @phone", async ({ page }) => {
  await page.goto("/login");
  await expect(heading(page, "Log in")).toBeVisible();
  await expect(page).toHaveTitle("Login | Turnkey Canada");
  await axe(page);
  await press(page, "Log in");
  await expect(page.getByRole("alert")).toHaveText("Please complete all fields");
  await page.getByLabel("Email").fill("nobody@turnkey.example");
  await page.getByRole("textbox", { name: "Password" }).fill("Wrong-2026!");
  await press(page, "Log in");
  await expect(page.getByRole("alert")).toContainText("Invalid Password/Email");
  await axe(page);
});

test("a page that needs a sign-in comes back after it; a strange next leads home", async ({
  page,
}) => {
  await page.goto("/profile");
  await expect(page).toHaveURL(/\/login\?next=%2Fprofile$/);
  await page.getByLabel("Email").fill(IVAN.email);
  await page.getByRole("textbox", { name: "Password" }).fill("Turnkey-2026!");
  await press(page, "Log in");
  await expect(heading(page, "My Profile")).toBeVisible();
  await axe(page);
  const other = await page.context().newPage();
  await other.goto("/login?next=//evil.example/");
  await other.getByLabel("Email").fill(IVAN.email);
  await other.getByRole("textbox", { name: "Password" }).fill("Turnkey-2026!");
  await press(other, "Log in");
  await expect(heading(other, /^Hello/)).toBeVisible();
});

test("remembered, a reload stays signed in; not remembered, it signs out; logout ends both", async ({
  page,
  browser,
}) => {
  await signIn(page, IVAN, true);
  await page.reload();
  await expect(heading(page, "Hello, Ivan")).toBeVisible();
  await page.getByRole("button", { name: /^Hi, / }).click();
  await page.getByRole("menuitem", { name: "Log out" }).click();
  await expect(heading(page, "Log out?")).toBeVisible();
  await axe(page);
  await press(page, "Log out");
  await expect(heading(page, "You are logged out")).toBeVisible();
  await page.goto("/");
  await expect(heading(page, "Welcome to Turnkey")).toBeVisible();

  const other = await anotherBrowser(browser, page);
  await signIn(other, IVAN);
  await other.reload();
  await expect(heading(other, "Welcome to Turnkey")).toBeVisible();
  await other.context().close();
});

test("an unknown address and the dashboard's empty form @phone", async ({ page }) => {
  await page.goto("/no-such-page");
  await expect(heading(page, "Page Not Found")).toBeVisible();
  await expect(page.getByText("The page you are looking for does not exist.")).toBeVisible();
  await axe(page);
  await signIn(page, OLIVIA);
  await expect(page.getByRole("heading", { name: "Nothing is waiting" })).toBeVisible();
  await axe(page);
});

test("a serial number that is malformed, unknown, locked or slow @phone", async ({ page }) => {
  await signIn(page, IVAN);
  await page.getByRole("link", { name: "Activate a device", exact: true }).click();
  const serial = page.getByRole("textbox", { name: "Serial number" });
  await press(page, "Continue");
  await expect(page.getByText("Required field")).toBeVisible();
  await serial.fill("ft-x1-12");
  await expect(serial).toHaveValue("FT-X1-12");
  await expect(page.getByText("Serial number invalid")).toBeVisible();
  await axe(page);
  await serial.fill(aDevice("900").key);
  await press(page, "Continue");
  await expect(page.getByRole("alert")).toContainText("We could not find this device");
  await axe(page);
  await serial.fill(aDevice("400").key);
  await press(page, "Continue");
  await expect(page.getByRole("alert")).toContainText("not currently in Service Mode");
  const slow = aDevice("000");
  await control({ device_key: slow.key, slow: true });
  await serial.fill(slow.key);
  await press(page, "Continue");
  await expect(page.getByRole("button", { name: "Continue" })).toBeDisabled();
  await expect(heading(page, "Activation Type")).toBeVisible();
  await axe(page);
});

test("a device that never answers is told, and can be asked again", async ({ page }) => {
  const { key } = aDevice("000");
  await signIn(page, IVAN);
  await begin(page, key);
  await toVerify(page);
  await control({ device_key: key, silent_commands: 1 });
  await press(page, "Ask the device");
  await expect(page.getByText("Sent", { exact: true })).toBeVisible();
  await expect(page.getByText(/Waiting for the device, at most/)).toBeVisible();
  await axe(page);
});

test("losing the network shows a bar, and coming back goes on", async ({ page, browser }) => {
  await signIn(page, IVAN);
  await begin(page, aDevice().key);
  const second = await anotherBrowser(browser, page);
  await signIn(second, CHLOE, true);
  await second.goto(page.url());
  await expect(heading(second, "Power on the device")).toBeVisible();
  await page.context().setOffline(true);
  await expect(page.getByText(/You are offline/)).toBeVisible();
  await expect(page.getByRole("button", { name: "The device is on" })).toBeDisabled();
  await axe(page);
  await press(second, "The device is on");
  await expect(heading(second, "Vehicle details")).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByText(/You are offline/)).toHaveCount(0);
  await expect(heading(page, "Vehicle details")).toBeVisible();
  await second.context().close();
});

test("keyboard only: from sign-in to a held-down command", async ({ page }) => {
  const { key } = aDevice();
  await page.goto("/login");
  await page.getByLabel("Email").focus();
  await page.keyboard.type(IVAN.email);
  await page.keyboard.press("Tab");
  await page.keyboard.type("Turnkey-2026!");
  await page.keyboard.press("Enter");
  await expect(heading(page, "Hello, Ivan")).toBeVisible();
  await page.getByRole("link", { name: "Activate a device" }).press("Enter");
  await page.getByRole("textbox", { name: "Serial number" }).focus();
  await page.keyboard.type(key.toLowerCase());
  await page.keyboard.press("Enter");
  await expect(heading(page, "Activation Type")).toBeFocused();
  await page.getByRole("radio", { name: /New device/ }).press("Space");
  await page.getByRole("button", { name: "Start" }).press("Enter");
  await expect(heading(page, "Power on the device")).toBeFocused();
  await page.getByRole("button", { name: "The device is on" }).press("Enter");
  await expect(heading(page, "Vehicle details")).toBeFocused();
  await page.getByRole("button", { name: "More actions" }).press("Enter");
  await expect(page.getByRole("menuitem", { name: "Abandon" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menuitem", { name: "Abandon" })).toHaveCount(0);
});

test("the screens in French @phone", async ({ page }) => {
  await page.goto("/");
  await page.getByLabel("Language").selectOption("fr");
  await expect(heading(page, "Bienvenue chez Turnkey")).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "fr");
  await axe(page);
  await page.goto("/activation");
  await expect(heading(page, "Saisir le numéro de série")).toBeVisible();
  await axe(page);
});

test("the screens in the dark theme", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("/login");
  await expect(heading(page, "Log in")).toBeVisible();
  await axe(page);
  await signIn(page, IVAN);
  await axe(page);
  await begin(page, aDevice().key);
  await axe(page);
  await toVerify(page);
  await axe(page);
});
