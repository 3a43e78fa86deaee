/** What people change about how they sign in. Each journey has a person of its own. */
import { axe, expect, heading, press, test } from "./journey";
import { aNewcomer, anAddress, aPhoneNumber, codeIn, linkIn, tryToSignIn } from "./people";
import { Walker } from "./walk";

test("another e-mail address counts once its own link was used", { tag: "@whole" }, async ({
  page,
}) => {
  const person = await aNewcomer(page);
  const address = anAddress();
  await Walker.signIn(page, person);
  await page.goto("/profile");
  const form = page.getByRole("region", { name: "Email" });
  await form.getByLabel("New email").fill(address);
  await form.getByLabel(/^Password, to be sure/).fill("Wrong-Password-1!");
  await form.getByRole("button", { name: "Change the email" }).click();
  await expect(form.getByRole("alert").or(form.getByText(/password/i).last())).toBeVisible();
  await form.getByLabel(/^Password, to be sure/).fill(person.password);
  await form.getByRole("button", { name: "Change the email" }).click();
  await expect(form.getByText(/We mailed a link to the new address/)).toBeVisible();
  await expect(form.getByText(`You log in with ${person.email}.`)).toBeVisible();

  await page.goto(await linkIn(address, "/change-email-accept"));
  await expect(heading(page, "Confirm Email Change")).toBeVisible();
  await axe(page);
  await press(page, "Use this address");
  await expect(heading(page, "Your email is changed")).toBeVisible();
  await page.getByRole("link", { name: "Log in" }).last().click();
  await tryToSignIn(page, person.email, { password: person.password });
  await expect(page.getByRole("alert")).toContainText("Invalid Password/Email");
  await tryToSignIn(page, address, { password: person.password });
  await expect(page.getByRole("button", { name: "Hi, Noor" })).toBeVisible();
});

test("a new e-mail address that is declined changes nothing, and its link ends @phone", {
  tag: "@whole",
}, async ({ page }) => {
  const person = await aNewcomer(page);
  const address = anAddress();
  const walker = await Walker.signIn(page, person);
  await walker.call("/v1/auth/email-change", { email: address, password: person.password });
  const link = await linkIn(address, "/change-email-accept");
  await page.goto(link.replace("accept", "decline"));
  await expect(heading(page, "Decline Email Change")).toBeVisible();
  await axe(page);
  await press(page, "Keep the present address");
  await expect(heading(page, "Nothing was changed")).toBeVisible();
  await page.goto(link);
  await press(page, "Use this address");
  await expect(page.getByRole("alert")).toBeVisible();
  await page.goto("/profile");
  await expect(page.getByText(`You log in with ${person.email}.`)).toBeVisible();
});

test("a phone number counts once its code came back, and then text messages are a second factor @whole", async ({
  page,
}) => {
  const person = await aNewcomer(page);
  const phone = aPhoneNumber();
  await Walker.signIn(page, person);
  await page.goto("/profile");
  const factors = page.getByRole("region", { name: "Multi-factor authentication" });
  await expect(factors.getByRole("button", { name: "Use text messages" })).toBeDisabled();
  const form = page.getByRole("region", { name: "Phone" });
  await form.getByLabel("Phone number").fill(phone.slice(2));
  await form.getByRole("button", { name: "Send a code" }).click();
  await form.getByLabel("Verification code").fill("000000");
  await form.getByRole("button", { name: "Confirm" }).click();
  await expect(form.getByRole("alert")).toContainText("Invalid verification code provided");
  const first = await codeIn(phone);
  await form.getByLabel("Verification code").fill(first);
  await form.getByRole("button", { name: "Confirm" }).click();
  await factors.getByRole("button", { name: "Use text messages" }).click();
  await expect(factors.getByText("On, by text message")).toBeVisible();
  await axe(page);

  await page.context().clearCookies();
  await page.goto("/login");
  await tryToSignIn(page, person.email, { password: person.password });
  await expect(page.getByLabel("Verification code")).toBeVisible();
  const second = await codeIn(phone, first);
  await page.getByLabel("Verification code").fill(second);
  await press(page, "Confirm");
  await expect(page.getByRole("button", { name: "Hi, Noor" })).toBeVisible();

  await page.getByRole("button", { name: "Hi, Noor" }).click();
  await page.getByRole("menuitem", { name: "My Profile" }).click();
  await factors.getByRole("button", { name: "Send a code" }).click();
  await factors.getByLabel("Verification code").fill(await codeIn(phone, second));
  await factors.getByRole("button", { name: "Turn off" }).click();
  await expect(heading(page, "Log in")).toBeVisible();
});
