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
  toFirmware,
  toVerify,
} from "./journey";
import { aDevice, CHLOE, crash, effects, IVAN, MARCUS, simDigits } from "./stack";

test("an installer activates a device from the first step to the last @phone", async ({ page }) => {
  const { key } = aDevice("010");
  const owner = `owner-${key.toLowerCase()}@example.com`;
  await signIn(page, IVAN);
  await axe(page);
  await begin(page, key, { email: owner });
  await axe(page);
  await press(page, "The device is on");
  await axe(page);
  await chooseVehicle(page);
  await expect(heading(page, "Verify the connection")).toBeVisible();
  await expect(page).toHaveURL(/step=verify-connection/);
  await axe(page);
  await press(page, "Ask the device");
  await expect(heading(page, "Check the firmware")).toBeVisible();
  await axe(page);
  await press(page, "Check and update");
  await expect(heading(page, "System settings")).toBeVisible();
  await axe(page);
  await press(page, "The settings are right");
  await expect(heading(page, "Test the device")).toBeVisible();
  await expect(page.getByRole("button", { name: "Verify GPS" })).toBeEnabled({ timeout: 30_000 });
  await press(page, "Verify GPS");
  await expect(page.getByText("Confirmed", { exact: true })).toBeVisible();
  await axe(page);
  await press(page, "Testing is done");
  await expect(heading(page, "Choose a plan")).toBeVisible();
  await press(page, "Go on without");
  await page.getByRole("dialog").getByLabel("Reason").fill("The owner buys it");
  await press(page, "Skip");
  await expect(heading(page, "Rewards")).toBeVisible();
  await page.getByLabel("Who else installed it?").selectOption({ label: "Chloe Tremblay" });
  await axe(page);
  await press(page, "Save the reward");
  await expect(heading(page, "Welcome the owner")).toBeVisible();
  await expect(page.getByLabel("Email of the vehicle's owner")).toHaveValue(owner);
  await axe(page);
  await press(page, "Send the welcome mail");
  await expect(heading(page, "Complete the activation")).toBeVisible();
  await axe(page);
  await press(page, "Complete the activation");
  await expect(heading(page, "Activation complete")).toBeVisible();
  await axe(page);
  const once = { activate: 1, install: 1, welcome: 1, "command:location": 2 };
  expect(await effects(key)).toMatchObject(once);
});

test("what is left half-way is resumed in a second browser, and by a colleague", async ({
  page,
  browser,
}) => {
  const { key } = aDevice();
  await signIn(page, IVAN);
  await begin(page, key);
  await toVerify(page);
  await page.close();

  const second = await anotherBrowser(browser, page);
  await signIn(second, IVAN);
  const row = second.getByRole("row", { name: new RegExp(key) });
  await expect(row).toContainText("Step 3 of");
  await expect(row).toContainText("Ivan");
  await axe(second);
  await row.getByRole("link", { name: key }).click();
  await expect(heading(second, "Verify the connection")).toBeVisible();

  const third = await anotherBrowser(browser, second);
  await signIn(third, CHLOE);
  await third.getByRole("link", { name: "My dealer's" }).click();
  await third.getByRole("link", { name: new RegExp(key) }).click();
  await expect(third.getByText(/This activation belongs to Ivan/)).toBeVisible();
  await press(third, "Ask the device");
  await expect(heading(third, "Check the firmware")).toBeVisible();
  await expect(heading(second, "Check the firmware")).toBeVisible();
  await second.context().close();
  await third.context().close();
});

test("two browsers on one activation stay in step without a reload", { tag: "@whole" }, async ({
  page,
  browser,
}) => {
  await signIn(page, IVAN);
  await begin(page, aDevice().key);
  const second = await anotherBrowser(browser, page);
  await signIn(second, CHLOE);
  await second.goto(page.url());
  await expect(heading(second, "Power on the device")).toBeVisible();
  await press(second, "The device is on");
  await expect(heading(page, "Vehicle details")).toBeVisible();
  await press(page, "Back");
  await expect(heading(second, "Power on the device")).toBeVisible();
  await second.context().close();
});

test("an activation of another dealer cannot be told from one that does not exist", {
  tag: "@whole",
}, async ({ page, browser }) => {
  const { key } = aDevice();
  await signIn(page, IVAN);
  await begin(page, key);
  const other = await anotherBrowser(browser, page);
  await signIn(other, MARCUS);
  await other.goto(page.url());
  await expect(heading(other, "We could not find this activation")).toBeVisible();
  await axe(other);
  await other.goto("/activation");
  await other.getByRole("textbox", { name: "Serial number" }).fill(key);
  await press(other, "Continue");
  await expect(other.getByRole("alert")).toContainText("We could not find this device");
  await other.context().close();
});

test("Back steps back, and from the first step to the choice of a type", { tag: "@whole" }, async ({
  page,
}) => {
  await signIn(page, IVAN);
  await begin(page, aDevice().key);
  await press(page, "The device is on");
  await expect(heading(page, "Vehicle details")).toBeVisible();
  await press(page, "Back");
  await expect(heading(page, "Power on the device")).toBeVisible();
  await press(page, "Back");
  await expect(heading(page, "Activation Type")).toBeVisible();
});

test("the browser's Back shows an earlier step to look at", { tag: "@whole" }, async ({ page }) => {
  await signIn(page, IVAN);
  await begin(page, aDevice().key);
  await toVerify(page);
  await page.goBack();
  await expect(heading(page, "Vehicle details")).toBeVisible();
  await expect(page.getByRole("main").getByText("Toyota Camry")).toBeVisible();
  await expect(page.getByRole("button", { name: "Save the vehicle" })).toHaveCount(0);
  await axe(page);
  await page.getByRole("link", { name: "Continue at step 3" }).click();
  await expect(heading(page, "Verify the connection")).toBeVisible();
});

test("firmware fails twice, then succeeds", { tag: "@whole" }, async ({ page }) => {
  const { key } = aDevice("018");
  await signIn(page, IVAN);
  await begin(page, key);
  await toFirmware(page);
  await press(page, "Check and update");
  await expect(heading(page, "System settings")).toBeVisible();
  await expect(page.getByText("The firmware is updated beside this.")).toBeVisible();
  await press(page, "The settings are right");
  await expect(page.getByText("The tests wait for the firmware")).toBeVisible();
  for (const attempt of [1, 2]) {
    await expect(page.getByText(`Attempt ${attempt} of 4`)).toBeVisible();
    await expect(page.getByText("Waiting to try again")).toBeVisible();
    await axe(page);
    await press(page, "Try now");
  }
  await expect(page.getByRole("button", { name: "Verify GPS" })).toBeEnabled({ timeout: 45_000 });
});

test("a worker killed in mid-update loses nothing", { tag: ["@whole", "@alone"] }, async ({
  page,
}) => {
  const { key } = aDevice("010");
  await signIn(page, IVAN);
  await begin(page, key);
  await toFirmware(page);
  await press(page, "Check and update");
  await expect(heading(page, "System settings")).toBeVisible();
  await press(page, "The settings are right");
  await expect(page.getByText("Main device")).toBeVisible();
  await crash("kill", "worker");
  await page.reload();
  await expect(heading(page, "Test the device")).toBeVisible();
  await crash("restart", "worker");
  await expect(page.getByRole("button", { name: "Verify GPS" })).toBeEnabled({ timeout: 50_000 });
  const done = await effects(key);
  expect(done["command:update_firmware"] ?? done.update_firmware).toBe(1);
});

test("a guest activates, leaves, and comes back by the link @phone", {
  tag: "@phone-first",
}, async ({ page, browser }) => {
  const { key } = aDevice();
  await page.goto("/");
  await axe(page);
  await begin(page, key, { digits: await simDigits(key) });
  await axe(page);
  // At the end of the page nothing that is pressed lies under the question about cookies.
  await expect(page.getByRole("region", { name: "Cookies" })).toBeVisible();
  const over = await page.getByRole("button", { name: "The device is on" }).evaluate((button) => {
    scrollTo(0, document.body.scrollHeight);
    const { left, top, width, height } = button.getBoundingClientRect();
    const there = document.elementFromPoint(left + width / 2, top + height / 2);
    return there !== null && button.contains(there)
      ? undefined
      : (there?.outerHTML ?? "out of sight");
  });
  expect(over, "what lies over the next action").toBeUndefined();
  await toVerify(page);
  const link = page.url();
  expect(link).toContain("#resume=");
  await page.close();

  const second = await anotherBrowser(browser, page);
  await second.goto(link);
  await expect(heading(second, "Verify the connection")).toBeVisible();
  await press(second, "Ask the device");
  await expect(heading(second, "Check the firmware")).toBeVisible();
  await second.context().close();

  const stranger = await anotherBrowser(browser, page);
  await stranger.goto(link.split("#")[0] ?? "");
  await expect(heading(stranger, "Log in to go on")).toBeVisible();
  await axe(stranger);
  await stranger.context().close();
});
