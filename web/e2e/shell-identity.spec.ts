import { anotherBrowser, axe, expect, heading, logIn, press, signIn, test } from "./journey";
import {
  aNewcomer,
  anAddress,
  appCode,
  codeIn,
  INES,
  invite,
  linkIn,
  NICK,
  OLIVIA,
  tryToSignIn,
} from "./people";
import { IVAN } from "./stack";
import { Walker } from "./walk";

const FIRST_PASSWORD = "Garage-Door-41!";
const SECOND_PASSWORD = "Winter-Tyre-58?";

test("what is missing, wrong or not allowed at sign-in is told in the specs' words @phone", async ({
  page,
}) => {
  await page.goto("/login");
  await press(page, "Log in");
  await expect(page.getByRole("alert")).toHaveText("Please complete all fields");
  await tryToSignIn(page, IVAN.email, { password: "Wrong-Password-1!" });
  await expect(page.getByRole("alert")).toContainText("Invalid Password/Email");
  await tryToSignIn(page, NICK.email);
  await expect(page.getByRole("alert")).toContainText(
    "Invalid Installer Account. Please activate as guest.",
  );
  await axe(page);
});

test("a page that needs a login leads there and back, and a foreign next leads home", async ({
  page,
}) => {
  await page.goto("/profile?from=mail");
  await expect(page).toHaveURL(/\/login\?next=%2Fprofile%3Ffrom%3Dmail$/);
  await tryToSignIn(page, IVAN.email, { remember: true });
  await expect(heading(page, "My Profile")).toBeVisible();
  await expect(page).toHaveURL(/\/profile\?from=mail$/);
  await page.goto("/login?next=https%3A%2F%2Fevil.example%2F");
  await expect(heading(page, "Hello, Ivan")).toBeVisible();
  expect(new URL(page.url()).pathname).toBe("/");
});

test("whoever logs out without a network stays logged out, and the server hears of it with the signal", {
  tag: "@whole",
}, async ({ page, context }) => {
  await signIn(page, IVAN);
  const held = await context.cookies();
  await page.goto("/logout");
  await expect(page.getByRole("button", { name: "Log out", exact: true })).toBeVisible();
  await context.setOffline(true);
  await press(page, "Log out");
  await expect(heading(page, "You are logged out")).toBeVisible();
  const told = page.waitForResponse("**/v1/auth/sign-out");
  await context.setOffline(false);
  expect((await told).status()).toBe(204);
  await page.goto("/");
  await expect(page.getByRole("link", { name: "Login" })).toBeVisible();
  await context.clearCookies();
  await context.addCookies(held);
  await page.goto("/");
  await expect(page.getByRole("link", { name: "Login" })).toBeVisible();
});

test("who goes on while their sign-in is being finished is not sent home", {
  tag: "@whole",
}, async ({ page }) => {
  await page.goto("/login");
  let goOn = () => {};
  const held = new Promise<void>((done) => {
    goOn = done;
  });
  await page.route("**/v1/auth/user", async (route) => {
    await held;
    await route.continue();
  });
  await tryToSignIn(page, IVAN.email);
  await page.getByRole("button", { name: "Hi, Ivan" }).click();
  await page.getByRole("menuitem", { name: "My Profile" }).click();
  await expect(heading(page, "My Profile")).toBeVisible();
  const finished = page.waitForResponse("**/v1/auth/user");
  goOn();
  await (await finished).finished();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await expect(page).toHaveURL(/\/profile$/);
  await expect(heading(page, "My Profile")).toBeVisible();
});

test("remember me keeps the session over a reload, and without it a reload ends it", {
  tag: "@whole",
}, async ({ page }) => {
  await logIn(page, IVAN);
  await page.reload();
  await expect(page.getByRole("link", { name: "Login" }).first()).toBeVisible();
  await logIn(page, IVAN, true);
  await page.reload();
  await expect(page.getByRole("button", { name: "Hi, Ivan" })).toBeVisible();
});

test("a session that ends in one tab ends in the other", { tag: "@whole" }, async ({
  page,
  context,
}) => {
  await signIn(page, IVAN);
  const other = await context.newPage();
  await other.goto("/profile");
  await expect(heading(other, "My Profile")).toBeVisible();
  await page.goto("/logout");
  await press(page, "Log out");
  await expect(heading(page, "You are logged out")).toBeVisible();
  await expect(heading(other, "Log in")).toBeVisible();
  await expect(other.getByText("Your session ended. Please log in again.")).toBeVisible();
  await expect(other).toHaveURL(/next=%2Fprofile&session=true/);
});

test("a page that belongs to somebody else by now is loaded anew, once", { tag: "@whole" }, async ({
  page,
  context,
}) => {
  await signIn(page, IVAN);
  const other = await context.newPage();
  await signIn(other, INES);
  await expect(other.getByRole("button", { name: "Hi, Ines" })).toBeVisible();
  // A token that has run out: the page asks for the next one, and the browser's is somebody else's.
  await page.route("**/v1/start-page?**", async (route) => {
    const headers = { ...route.request().headers(), authorization: "Bearer ran-out" };
    await route.continue({ headers });
  });
  let loads = 0;
  page.on("load", () => {
    loads += 1;
  });
  await page.getByRole("link", { name: "My dealer's" }).click();
  await expect(page.getByRole("button", { name: "Hi, Ines" })).toBeVisible();
  expect(loads).toBe(1);
  expect(await page.evaluate(() => sessionStorage.getItem("identity_reloads"))).toBeNull();
});

test("logging out everywhere acts in another browser at once", { tag: "@whole" }, async ({
  page,
  browser,
}) => {
  const person = await aNewcomer(page);
  await signIn(page, person);
  const other = await anotherBrowser(browser, page);
  await signIn(other, person);
  await other.getByRole("button", { name: "Hi, Noor" }).click();
  await other.getByRole("menuitem", { name: "My Profile" }).click();
  await expect(heading(other, "My Profile")).toBeVisible();
  await page.getByRole("button", { name: "Hi, Noor" }).click();
  await page.getByRole("menuitem", { name: "My Profile" }).click();
  await press(page, "Log out everywhere");
  await expect(heading(page, "Log in")).toBeVisible();
  await expect(heading(other, "Log in")).toBeVisible();
  await expect(other.getByText("Your session ended. Please log in again.")).toBeVisible();
  await other.context().close();
});

test("whoever cannot log out everywhere without a network is told, and leaves this browser alone", {
  tag: "@whole",
}, async ({ page, context }) => {
  await signIn(page, await aNewcomer(page));
  await page.goto("/profile");
  await expect(heading(page, "My Profile")).toBeVisible();
  await context.setOffline(true);
  await press(page, "Log out everywhere");
  await expect(page.getByText("You may be logged in still")).toBeVisible();
  await axe(page);
  await context.setOffline(false);
  await press(page, "Log out here alone");
  await expect(heading(page, "Log in")).toBeVisible();
});

test("an invitation accepted in a second browser, a second factor with a trusted device, a forgotten password", async ({
  page,
  browser,
}) => {
  test.setTimeout(240_000);
  const email = anAddress();
  await page.goto("/login");
  await invite(page, email);
  const link = await linkIn(email, "/accept-invite");

  const second = await anotherBrowser(browser, page);
  await second.goto(link);
  await expect(heading(second, "Accept Invitation")).toBeVisible();
  await expect(second.getByText(/Olivia Marchand invites/)).toBeVisible();
  await axe(second);
  await press(second, "Accept");
  await expect(second.getByText("Required field").first()).toBeVisible();
  await second.getByLabel("First name").fill("Noor");
  await second.getByLabel("Last name", { exact: true }).fill("Haddad");
  await press(second, "Accept");
  await expect(heading(second, "Set Password")).toBeVisible();
  await second.getByLabel("New password", { exact: true }).fill("short");
  await second.getByLabel("New password again").fill("short");
  await press(second, "Set the password");
  await expect(second.getByText("Password invalid")).toBeVisible();
  await second.getByLabel("New password", { exact: true }).fill(FIRST_PASSWORD);
  await second.getByLabel("New password again").fill(FIRST_PASSWORD);
  await press(second, "Set the password");
  await expect(heading(second, "Your account is ready")).toBeVisible();
  await second.getByRole("link", { name: "Log in" }).click();
  await tryToSignIn(second, email, { password: FIRST_PASSWORD });
  await expect(second.getByRole("button", { name: "Hi, Noor" })).toBeVisible();

  await second.getByRole("button", { name: "Hi, Noor" }).click();
  await second.getByRole("menuitem", { name: "My Profile" }).click();
  await press(second, "Use an authenticator app");
  const secret = ((await second.locator("code").textContent()) ?? "").replace(/\s/g, "");
  await expect(second.getByRole("img", { name: /QR code/ })).toBeVisible();
  await axe(second);
  await second.getByLabel("Code that the app shows").fill(await appCode(secret, -1));
  await press(second, "Verify and turn on");
  await expect(second.getByText("On, by authenticator app")).toBeVisible();

  await second.goto("/login");
  await tryToSignIn(second, email, { password: FIRST_PASSWORD });
  await second.getByLabel("Verification code").fill("000000");
  await second.getByLabel("Trust this device").check();
  await press(second, "Confirm");
  await expect(second.getByRole("alert")).toContainText("Invalid verification code provided");
  await axe(second);
  await second.getByLabel("Verification code").fill(await appCode(secret));
  await press(second, "Confirm");
  await expect(second.getByRole("button", { name: "Hi, Noor" })).toBeVisible();

  await second.goto("/login");
  await tryToSignIn(second, email, { password: FIRST_PASSWORD });
  await expect(second.getByRole("button", { name: "Hi, Noor" })).toBeVisible();
  await second.getByRole("button", { name: "Hi, Noor" }).click();
  await second.getByRole("menuitem", { name: "My Profile" }).click();
  await expect(second.getByRole("button", { name: /^Forget / })).toHaveCount(1);

  await second.goto("/forgot-password");
  await second.getByLabel("Email").fill(email);
  await press(second, "Send the code");
  await expect(heading(second, "Choose a new password")).toBeVisible();
  const code = await codeIn(email);
  await second.getByLabel("Verification code").fill("999999");
  await second.getByLabel("New password", { exact: true }).fill(SECOND_PASSWORD);
  await second.getByLabel("New password again").fill(SECOND_PASSWORD);
  await press(second, "Change the password");
  await expect(second.getByRole("alert")).toContainText("Invalid verification code provided");
  await second.getByLabel("Verification code").fill(code);
  await press(second, "Change the password");
  await expect(heading(second, "Your password is changed")).toBeVisible();
  await second.getByRole("link", { name: "Log in" }).click();
  await tryToSignIn(second, email, { password: SECOND_PASSWORD });
  // the reset forgot the trusted device, so the code is asked for again
  await expect(second.getByLabel("Verification code")).toBeVisible();

  await second.goto(link);
  await expect(second.getByText("This link is no longer valid")).toBeVisible();
  await second.context().close();
});

test("an invitation can be declined, by the button and not by the link", { tag: "@whole" }, async ({
  page,
}) => {
  const email = anAddress();
  await page.goto("/login");
  await invite(page, email);
  const link = (await linkIn(email, "/accept-invite")).replace("accept", "decline");
  await page.goto(link);
  await expect(heading(page, "Decline Invitation")).toBeVisible();
  await page.reload();
  await expect(heading(page, "Decline Invitation")).toBeVisible();
  await press(page, "Decline");
  await expect(heading(page, "You declined")).toBeVisible();
  await page.goto(link);
  await expect(page.getByText("This link is no longer valid")).toBeVisible();
});

test("unknown people are told on a reset, and a registration says the same to everybody @phone", {
  tag: "@whole",
}, async ({ page }) => {
  await page.goto("/forgot-password");
  await page.getByLabel("Email").fill(anAddress());
  await press(page, "Send the code");
  await expect(page.getByRole("alert")).toContainText("User not found");
  for (const email of [anAddress(), OLIVIA.email]) {
    await page.goto("/register");
    await page.getByLabel("First name").fill("Sam");
    await page.getByLabel("Last name", { exact: true }).fill("Reyes 😀");
    await expect(page.getByLabel("Last name", { exact: true })).toHaveValue("Reyes ");
    await page.getByLabel("Email").fill(email);
    await press(page, "Register");
    await expect(heading(page, "Look into your mail")).toBeVisible();
  }
});

test("a fault of a field shows a second after typing stops", { tag: "@whole" }, async ({
  page,
}) => {
  await page.clock.install();
  await page.goto("/register");
  await expect(heading(page, "Register")).toBeVisible();
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  await page.getByLabel("Email").fill("not an address");
  await page.clock.runFor(900);
  await expect(page.getByText("Email invalid")).toHaveCount(0);
  await page.clock.runFor(200);
  await expect(page.getByText("Email invalid")).toBeVisible();
  await page.getByLabel("Email").fill("a@shop.example");
  await expect(page.getByText("Email invalid")).toHaveCount(0);
});

test("the name of the profile is changed, shows its check, and greets", { tag: "@whole" }, async ({
  page,
}) => {
  await signIn(page, await aNewcomer(page));
  await page.getByRole("button", { name: "Hi, Noor" }).click();
  await page.getByRole("menuitem", { name: "My Profile" }).click();
  await expect(page.getByRole("button", { name: "Save the name" })).toBeDisabled();
  await page.getByLabel("Last name", { exact: true }).fill("Haddad-Ruiz");
  await press(page, "Save the name");
  await expect(page.getByRole("status").filter({ hasText: "Done" })).toHaveCount(1);
  await page.getByLabel("Last name", { exact: true }).fill("Haddad");
  await press(page, "Save the name");
  await expect(page.getByRole("button", { name: "Save the name" })).toBeDisabled();
});

test("the old address takes an account back that somebody moved, and a reset unlocks it @phone", {
  tag: "@whole",
}, async ({ page }) => {
  const person = await aNewcomer(page);
  const address = anAddress();
  const thief = await Walker.signIn(page, person);
  await thief.call("/v1/auth/email-change", { email: address, password: person.password });
  const taken = await linkIn(address, "/change-email-accept");
  await page.goto(taken);
  await press(page, "Use this address");
  await expect(heading(page, "Your email is changed")).toBeVisible();

  const wayBack = await linkIn(person.email, "/change-email-revert");
  await page.goto(wayBack);
  await expect(heading(page, "This Was Not Me")).toBeVisible();
  await axe(page);
  await press(page, "Take the address back and lock");
  await expect(heading(page, "Your account is safe")).toBeVisible();
  await axe(page);

  await page.goto("/login");
  await tryToSignIn(page, person.email, { password: person.password });
  await expect(page.getByRole("alert")).toContainText("Account locked. Please reset password.");
  await page.getByRole("link", { name: "Reset the password now" }).click();
  await expect(heading(page, "Forgot Password")).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue(person.email);

  await page.goto(wayBack);
  await press(page, "Take the address back and lock");
  await expect(heading(page, "This link has done its work")).toBeVisible();
  await axe(page);
  await page.goto("/change-email-revert?token=invented");
  await press(page, "Take the address back and lock");
  await expect(heading(page, "This link has ended")).toBeVisible();
  await axe(page);
});
