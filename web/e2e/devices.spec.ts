import { anotherBrowser, axe, begin, expect, heading, press, signIn, test } from "./journey";
import { aDevice, control, IVAN, MARCUS, simDigits } from "./stack";

const PRAIRIE = "prairie";

test("an installer takes over what a guest began, by the digits of its SIM @phone", {
  tag: ["@phone-first", "@whole"],
}, async ({ page, browser }) => {
  const { key } = aDevice();
  const digits = await simDigits(key);
  const guest = await anotherBrowser(browser, page);
  await guest.goto("/");
  await begin(guest, key, { digits });
  await signIn(page, IVAN);
  await page.getByRole("link", { name: "Activate a device", exact: true }).click();
  await page.getByRole("textbox", { name: "Serial number" }).fill(key);
  await press(page, "Continue");
  await expect(page.getByText("Did a guest begin with it?")).toBeVisible();
  await axe(page);
  await page.goto("/");
  await begin(page, key, { digits });
  await expect(heading(guest, "Power on the device")).toBeHidden();
  await guest.context().close();
});

test("an owner ends what somebody else does to their device @phone", { tag: "@whole" }, async ({
  page,
  browser,
}) => {
  const { key } = aDevice();
  const other = await anotherBrowser(browser, page);
  await signIn(other, IVAN);
  await begin(other, key);
  await control({ device_key: key, owner_dealer_id: PRAIRIE });
  await signIn(page, MARCUS);
  await page.getByRole("link", { name: "Activate a device", exact: true }).click();
  await page.getByRole("textbox", { name: "Serial number" }).fill(key);
  await press(page, "Continue");
  await page.getByRole("radio", { name: /New device/ }).check();
  await press(page, "Start");
  await page.getByRole("link", { name: /Open the device to end/ }).click();
  await expect(page.getByText("Somebody else is activating this device of yours.")).toBeVisible();
  await axe(page);
  await page.getByRole("button", { name: "End their activation" }).press("Enter");
  await expect(page.getByText("Somebody else is activating this device of yours.")).toBeHidden();
  await page.goto("/");
  await begin(page, key);
  await other.context().close();
});

test("an owner says yes to one visit, on the phone @phone", { tag: "@phone-first" }, async ({
  page,
  browser,
}) => {
  const { key } = aDevice("270", "DR5400");
  await control({ device_key: key, owner_dealer_id: PRAIRIE });
  const visitor = await anotherBrowser(browser, page);
  await signIn(visitor, IVAN);
  await visitor.goto(`/visits?device=${key}`);
  await visitor.getByLabel("Last 5 digits of the SIM (ICCID)").fill(await simDigits(key));
  await visitor.getByLabel("Why").fill("The siren");
  await press(visitor, "Ask the owner");
  await expect(heading(visitor, "Service visit")).toBeVisible();
  await signIn(page, MARCUS);
  await page.goto("/visits");
  const states = page.getByRole("navigation", { name: "States of visits at your devices" });
  await states.getByRole("link", { name: /^Waiting for the owner [1-9]/ }).press("Enter");
  await expect(page).toHaveURL(/\?ours=waiting$/);
  await axe(page);
  await page.getByRole("link", { name: key }).click();
  await expect(page.getByText("Ivan Petrov, Harbour Car Audio")).toBeVisible();
  await axe(page);
  await press(page, "Yes, for this visit");
  await expect(page.getByRole("button", { name: "End the visit" })).toBeVisible();
  await visitor.reload();
  await press(visitor, "Service the device");
  await expect(visitor).toHaveURL(/\/activation\/device/);
  await press(page, "End the visit");
  await expect(page.getByRole("status")).toHaveText("Ended");
  await axe(page);
  await visitor.context().close();
});
