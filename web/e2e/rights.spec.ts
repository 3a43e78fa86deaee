import type { Page } from "@playwright/test";
import { aCart } from "./buying";
import {
  anotherBrowser,
  axe,
  begin,
  chooseVehicle,
  expect,
  heading,
  press,
  signIn,
  test,
} from "./journey";
import { aNewcomer, anAddress, linkIn, mailsTo, message, OLIVIA, tryToSignIn } from "./people";
import { aDevice, PASSWORD } from "./stack";
import { Walker } from "./walk";

/** The only owner of a business that no other journey enters. */
const TAYLOR = { first: "Taylor", email: "taylor.thompson@turnkey.example" };
const NEW_PASSWORD = "Garage-Door-41!";

test("an invitation leads to a first activation @phone", { tag: "@whole" }, async ({
  page,
  browser,
}) => {
  test.setTimeout(240_000);
  const email = anAddress();
  await signIn(page, OLIVIA);
  await page.goto("/my-business");
  const asking = page.getByRole("region", { name: "Invite an installer" });
  await asking.getByLabel("Email").fill(email);
  await asking.getByRole("button", { name: "Invite", exact: true }).press("Enter");
  const open = page.getByRole("list", { name: "Pending invitations" });
  await expect(open).toContainText(email);
  const link = await linkIn(email, "/accept-invite");
  await open.getByRole("button", { name: `Send again to ${email}` }).click();
  await expect.poll(() => mailsTo(email)).toBe(2);
  expect(await linkIn(email, "/accept-invite")).toBe(link);
  await expect(open).toContainText(email);

  const mistaken = anAddress();
  await asking.getByLabel("Email").fill(mistaken);
  await asking.getByRole("button", { name: "Invite", exact: true }).click();
  await open.getByRole("button", { name: `Withdraw the invitation of ${mistaken}` }).click();
  await confirm(page, `Withdraw the invitation of ${mistaken}?`, "Withdraw");
  await expect(open).not.toContainText(mistaken);

  const theirs = await anotherBrowser(browser, page);
  await theirs.goto(await linkIn(email, "/accept-invite"));
  await theirs.getByLabel("First name").fill("Noor");
  await theirs.getByLabel("Last name", { exact: true }).fill("Haddad");
  await press(theirs, "Accept");
  await theirs.getByLabel("New password", { exact: true }).fill(NEW_PASSWORD);
  await theirs.getByLabel("New password again").fill(NEW_PASSWORD);
  await press(theirs, "Set the password");
  await theirs.getByRole("link", { name: "Log in" }).click();
  await tryToSignIn(theirs, email, { password: NEW_PASSWORD });
  await expect(theirs.getByRole("button", { name: "Hi, Noor" })).toBeVisible();
  const { key } = aDevice();
  await begin(theirs, key);
  await press(theirs, "The device is on");
  await chooseVehicle(theirs);
  await expect(heading(theirs, "Verify the connection")).toBeVisible();
  const id = new URL(theirs.url()).searchParams.get("id") ?? "";
  const walker = await Walker.signIn(theirs, { email, password: NEW_PASSWORD });
  await walker.walk(id, "complete-activation");
  await theirs.goto(`/activation/device?id=${id}`);
  await expect(heading(theirs, "Complete the activation")).toBeVisible();
  await press(theirs, "Complete the activation");
  await expect(heading(theirs, "Activation complete")).toBeVisible();
  await axe(theirs);

  await page.reload();
  const person = page
    .getByRole("region", { name: "Team" })
    .getByRole("listitem")
    .filter({ hasText: email });
  await expect(person).toContainText("no open activations");
  await expect(page.getByText(email)).toHaveCount(1);
  await theirs.context().close();
});

test("a right that is taken away in the middle of a checkout ends it, and says why", {
  tag: "@whole",
}, async ({ page, browser }) => {
  const newcomer = await aNewcomer(page);
  await signIn(page, OLIVIA);
  await page.goto("/my-business");
  const person = page
    .getByRole("region", { name: "Team" })
    .getByRole("listitem")
    .filter({ hasText: newcomer.email });
  await person.getByRole("button", { name: /^Let buy/ }).press("Enter");
  const taking = person.getByRole("button", { name: /^Take the right to buy/ });
  await expect(taking).toBeEnabled();

  const theirs = await anotherBrowser(browser, page);
  await signIn(theirs, newcomer);
  const token = await aCart(theirs, newcomer);
  await theirs.goto("/cart/checkout/products");
  await theirs.getByRole("radio", { name: /COD/ }).check();
  await expect(theirs.getByRole("button", { name: "Place order" })).toBeEnabled();

  await taking.press("Enter");
  await expect(person.getByRole("button", { name: /^Let buy/ })).toBeEnabled();
  await press(theirs, "Place order");
  const why = "You do not have purchasing rights. Please ask the owner of your business.";
  await expect(theirs.getByText(why).first()).toBeVisible();
  await axe(theirs);
  const walker = await Walker.signIn(theirs, newcomer);
  expect(await walker.read(`/v1/placements/${token}`)).toBeNull();
  await theirs.context().close();
});

test("a business is never without an owner", { tag: "@whole" }, async ({ page, browser }) => {
  const newcomer = await aNewcomer(page, TAYLOR);
  await signIn(page, TAYLOR);
  await page.goto("/my-business");
  const team = page.getByRole("region", { name: "Team" });
  const refused = team.getByText("A business needs an owner. Make somebody else an owner first.");
  await retire(page, "Taylor Thompson");
  await expect(refused).toBeVisible();
  await axe(page);

  await press(page, "Make owner: Noor Haddad");
  const password = team.getByRole("textbox", { name: /^Password, to be sure/ });
  await password.fill("Not-My-Password-7!");
  await team.getByRole("button", { name: "Make owner", exact: true }).press("Enter");
  await expect(team.getByText("Password invalid").first()).toBeVisible();
  await password.fill(PASSWORD);
  await team.getByRole("button", { name: "Make owner", exact: true }).press("Enter");
  const noor = team.getByRole("listitem").filter({ hasText: newcomer.email });
  await expect(noor).toContainText(/owner/);
  await expect(noor.getByRole("button", { name: /^Make owner/ })).toHaveCount(0);
  expect(await message(TAYLOR.email, /owner|propriétaire/)).toContain("Noor Haddad");

  const theirs = await anotherBrowser(browser, page);
  await signIn(theirs, newcomer);
  await theirs.goto("/my-business");
  await retire(theirs, "Taylor Thompson");
  await expect(theirs.getByRole("button", { name: "Bring back Taylor Thompson" })).toBeVisible();
  await page.goto("/my-business");
  await expect(page).toHaveURL(/\/$/);
  await retire(theirs, "Noor Haddad");
  await expect(theirs.getByText("A business needs an owner.")).toBeVisible();
  await press(theirs, "Bring back Taylor Thompson");
  await expect(theirs.getByRole("button", { name: "Retire Taylor Thompson" })).toBeVisible();
  await page.goto("/my-business");
  await expect(heading(page, "My Business")).toBeVisible();
  await theirs.context().close();
});

async function retire(page: Page, name: string): Promise<void> {
  await press(page, `Retire ${name}`);
  await confirm(page, `Retire ${name}?`, "Retire");
}

/** Says yes to a question. */
function confirm(page: Page, question: string, yes: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name: question });
  return dialog.getByRole("button", { name: yes, exact: true }).click();
}
