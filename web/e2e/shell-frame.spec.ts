import { axe, expect, expectMenuFocus, heading, press, signIn, test } from "./journey";
import { ADA, INES, OLIVIA } from "./people";
import { IVAN } from "./stack";

test("an address without a page says so and leads home @phone", { tag: "@whole" }, async ({
  page,
}) => {
  for (const path of ["/no-such-page", "/my-rewards", "/wiring/7", "/deals/7"]) {
    await page.goto(path);
    await expect(heading(page, "Page Not Found")).toBeVisible();
    await expect(page.getByText("The page you are looking for does not exist.")).toBeVisible();
    await expect(page).toHaveTitle("Page Not Found | Turnkey Canada");
  }
  await axe(page);
  await page.getByRole("link", { name: "Back to Home" }).click();
  await expect(heading(page, "Welcome to Turnkey")).toBeVisible();
});

test("no link of any page leads to a page that is not there", { tag: "@whole" }, async ({
  page,
  request,
}) => {
  await signIn(page, ADA);
  // One page of each kind: every product's page is the same.
  const kind = (path: string) => path.replace(/^\/(product|devices|order)\/.+/, "/$1/…");
  const seen = new Map([["/", "/"]]);
  for (const path of seen.values()) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(heading(page, "Page Not Found")).toHaveCount(0);
    const links = await page
      .locator("a[href^='/']")
      .evaluateAll((all) => all.map((one) => new URL((one as HTMLAnchorElement).href).pathname));
    for (const link of links) if (!seen.has(kind(link))) seen.set(kind(link), link);
  }
  expect(seen.size).toBeGreaterThan(8);
  const pictures = ["/pictures/activate.svg", "/pictures/firmware.svg", "/pictures/shipping.svg"];
  for (const picture of pictures) expect((await request.get(picture)).status()).toBe(200);
});

test("a page that was not loaded yet says so without a network, and comes by itself with it", {
  tag: "@whole",
}, async ({ page, context, faults }) => {
  await page.goto("/register");
  await page.getByLabel("First name").fill("Sam");
  await context.setOffline(true);
  await page.getByRole("link", { name: "Log in" }).click();
  await expect(heading(page, "This page was not loaded yet")).toBeVisible();
  await expect(page.getByRole("link", { name: "Back to Home" })).toBeVisible();
  await context.setOffline(false);
  await expect(heading(page, "Log in")).toBeVisible();
  expect(faults.splice(0).every((fault) => fault.includes("dynamically imported"))).toBe(true);
});

test("a page that comes with the signal has its styles @phone", {
  tag: "@whole",
}, async ({ page, context, faults }) => {
  await page.goto("/login");
  await expect(heading(page, "Log in")).toBeVisible();
  await context.setOffline(true);
  await page.getByRole("link", { name: "Forgot password?" }).click();
  await expect(heading(page, "This page was not loaded yet")).toBeVisible();
  await axe(page);
  await context.setOffline(false);
  await expect(heading(page, "Forgot Password")).toBeVisible();
  expect(faults.splice(0).every((fault) => fault.includes("dynamically imported"))).toBe(true);
});

test("visitors are asked about cookies once a day; people who are signed in are not @phone", {
  tag: "@whole",
}, async ({ page, context }) => {
  await page.goto("/");
  const banner = page.getByRole("region", { name: "Cookies" });
  await expect(banner).toBeVisible();
  const reloaded = page.waitForEvent("load");
  await banner.getByRole("button", { name: "Decline" }).click();
  await reloaded;
  await expect(heading(page, "Welcome to Turnkey")).toBeVisible();
  await expect(banner).toHaveCount(0);
  const kept = (await context.cookies()).find(({ name }) => name === "allow-analytics");
  expect(kept?.value).toBe("false");
  expect((kept?.expires ?? 0) - Date.now() / 1000).toBeGreaterThan(86_000);
  await context.clearCookies();
  await page.reload();
  await banner.getByRole("button", { name: "Accept" }).click();
  await expect(banner).toHaveCount(0);
  await context.clearCookies();
  await signIn(page, IVAN);
  await expect(banner).toHaveCount(0);
});

test("everything speaks French, and the page says so @phone @english", async ({ page }) => {
  await page.goto("/shipping");
  await page.getByLabel("Language").last().selectOption("fr");
  await expect(heading(page, "Expédition")).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "fr");
  await expect(page.getByText("Les commandes passées avant 14 h")).toBeVisible();
  await expect(page).toHaveTitle("Expédition | Turnkey Canada");
  await axe(page);
  await page.goto("/login");
  await page.getByRole("button", { name: "Se connecter" }).click();
  await expect(page.getByRole("alert")).toContainText("Veuillez remplir tous les champs");
  await page.goto("/no-such-page");
  await expect(page.locator("html")).toHaveAttribute("lang", "fr");
});

test("the menus open by the keyboard, and the palette goes to a page", { tag: "@whole" }, async ({
  page,
}) => {
  await page.goto("/");
  await expect(heading(page, "Welcome to Turnkey")).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.getByRole("button", { name: "Services" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "Company Info" })).toBeVisible();
  await expectMenuFocus(page);
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("menuitem", { name: "Company Info" })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("menuitem", { name: "Shipping" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(heading(page, "Shipping")).toBeFocused();
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Find anything" });
  await palette.getByRole("combobox").fill("condition");
  await axe(page);
  await page.keyboard.press("Enter");
  await expect(heading(page, "Terms & Conditions")).toBeFocused();
});

test("pictures open large and close by Escape; crumbs lead up", { tag: "@whole" }, async ({
  page,
}) => {
  await page.goto("/company-info");
  await press(page, /^Enlarge:/);
  const large = page.getByRole("dialog");
  await expect(large.getByRole("img", { name: "A control module" })).toBeVisible();
  await axe(page);
  await page.keyboard.press("Escape");
  await expect(large).toHaveCount(0);
  await signIn(page, IVAN);
  await page.goto("/visits");
  const crumbs = page.getByRole("navigation", { name: "Breadcrumb" });
  await crumbs.getByRole("link", { name: "Devices", exact: true }).click();
  await expect(heading(page, "Devices")).toBeVisible();
  await expect(crumbs).toHaveCount(0);
});

test("the carousel turns by its buttons", { tag: "@whole" }, async ({ page }) => {
  await page.goto("/");
  const slides = page.getByRole("region", { name: "What is new" });
  await expect(slides.getByRole("heading", { name: "From the box to the road" })).toBeVisible();
  await slides.getByRole("button", { name: "Next slide" }).click();
  await expect(slides.getByRole("heading", { name: "Firmware that waits for you" })).toBeVisible();
  await slides.getByRole("button", { name: "Previous slide" }).click();
  await slides.getByRole("button", { name: "Previous slide" }).click();
  await expect(slides.getByRole("heading", { name: "Delivered where you work" })).toBeVisible();
});

test("the carousel turns by a swipe of thirty pixels, not by a touch @phone", {
  tag: "@whole",
}, async ({ page, context }) => {
  await page.goto("/");
  const slides = page.getByRole("region", { name: "What is new" });
  await slides.scrollIntoViewIfNeeded();
  const box = await slides.boundingBox();
  if (!box) throw new Error("the carousel has no place on the page");
  const touch = await context.newCDPSession(page);
  await touch.send("Emulation.setTouchEmulationEnabled", { enabled: true });
  const [middle, y] = [box.x + box.width / 2, box.y + 40];
  async function swipe(by: number) {
    const at = (x: number) => [{ x, y }];
    await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(middle) });
    const moved = at(middle + by);
    await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: moved });
    await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  }
  await swipe(-20);
  await expect(slides.getByRole("heading", { name: "From the box to the road" })).toBeVisible();
  await swipe(-60);
  await expect(slides.getByRole("heading", { name: "Firmware that waits for you" })).toBeVisible();
  await swipe(60);
  await expect(slides.getByRole("heading", { name: "From the box to the road" })).toBeVisible();
});

test("the narrow menu has everything, and the administrator's audit is nobody else's @phone", {
  tag: "@whole",
}, async ({ page }) => {
  await page.goto("/");
  if ((page.viewportSize()?.width ?? 0) < 740) {
    await press(page, "Menu");
    const menu = page.getByRole("dialog", { name: "Menu" });
    await expect(menu.getByRole("link", { name: "Drone Activation" })).toBeVisible();
    await expect(menu.getByRole("link", { name: "Company Info" })).toBeHidden();
    await expect(menu.getByRole("link", { name: "View All" })).toHaveCount(0);
    await axe(page);
    await menu.getByText("Services", { exact: true }).click();
    await menu.getByRole("link", { name: "Company Info" }).click();
    await expect(heading(page, "Company Info")).toBeVisible();
    await signIn(page, OLIVIA);
    await press(page, "Menu");
    await expect(menu.getByRole("link").first()).toHaveText("My Orders");
    await axe(page);
    await menu.getByRole("link", { name: "Billing" }).click();
    await expect(heading(page, "Billing")).toBeVisible();
  }
  await signIn(page, IVAN);
  await page.goto("/audit");
  await expect(heading(page, "Page Not Found")).toBeVisible();
  await page.goto("/logout");
  await press(page, "Log out");
  await signIn(page, ADA);
  await page.getByRole("button", { name: "Hi, Ada" }).click();
  await page.getByRole("menuitem", { name: "Audit" }).click();
  await page.getByLabel("Actor").fill("user:ada");
  await page.getByRole("main").getByRole("button", { name: "Search", exact: true }).click();
  await expect(page.getByRole("cell", { name: "signed in" }).first()).toBeVisible();
  await axe(page);
});

test("people may write to us, and what they typed is not lost by a refusal @phone", async ({
  page,
}) => {
  await page.goto("/contact-us");
  await press(page, "Send");
  await expect(page.getByText("Required field")).toHaveCount(3);
  await page.getByLabel("Name", { exact: true }).fill("Sam Reyes");
  await page.getByRole("textbox", { name: "Email" }).fill("sam@example.com");
  await page.getByLabel("Message", { exact: true }).fill("Do you ship on Saturdays?");
  await press(page, "Send");
  await expect(page.getByText("Thank you. We answer by mail.")).toBeVisible();
  await page.goto("/dealer-request");
  await page.getByLabel("Company name").fill("Reyes Audio");
  await page.getByLabel("First name").fill("Sam");
  await page.getByLabel("Last name", { exact: true }).fill("Reyes");
  await page.getByRole("textbox", { name: "Email" }).fill("sam@example.com");
  await page.getByLabel("Phone number").fill("12345");
  await press(page, "Send the request");
  await expect(page.getByText("Phone number invalid")).toBeVisible();
  await expect(page.getByLabel("Company name")).toHaveValue("Reyes Audio");
  await page.getByLabel("Phone number").fill("(604) 555 - 0100");
  await press(page, "Send the request");
  await expect(heading(page, "Thank you")).toBeVisible();
});

test("the top bar keeps to one line, and the focus comes back from what opens over the page", {
  tag: "@whole",
}, async ({ page }) => {
  await page.setViewportSize({ width: 1300, height: 860 });
  await signIn(page, INES);
  const bar = page
    .locator("header")
    .filter({ has: page.getByRole("navigation", { name: "Main" }) });
  expect((await bar.boundingBox())?.height).toBeLessThan(70);
  await press(page, "More");
  await expect(page.getByRole("menuitem", { name: "Installer Guides" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "More" })).toBeFocused();
  await press(page, "Select Business");
  const choice = page.getByRole("dialog", { name: "Select Business" });
  await expect(choice.getByRole("button", { name: "Cancel" })).toBeEnabled(); // it stays while businesses come
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Select Business" })).toBeFocused();
});

for (const width of [1300, 390]) {
  test(`the name of the business is whole at ${width}`, { tag: "@whole" }, async ({ page }) => {
    await page.setViewportSize({ width, height: 860 });
    const listed = page.waitForResponse("**/api/business-partners");
    await signIn(page, INES);
    await press(page, "Select Business");
    const { edges } = (await (await listed).json()) as {
      edges: { node: { companyName: string; sapBpCode: string } }[];
    };
    const [longest] = edges
      .map(({ node }) => node)
      .sort((one, other) => other.companyName.length - one.companyName.length);
    if (!longest) throw new Error("the rep has no business");
    const modal = page.getByRole("dialog", { name: "Select Business" });
    await modal.getByLabel("Search by business name or code").fill(longest.sapBpCode);
    await modal.getByRole("radio", { name: longest.companyName }).check();
    await modal.getByRole("button", { name: "Confirm" }).click();
    const chosen = page.getByRole("banner").getByRole("button", { name: longest.companyName });
    await expect(chosen).toBeVisible();
    const said = chosen.locator("span");
    const cut = await said.evaluate(({ style, parentElement: around }) => {
      style.display = "block";
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = around as HTMLElement;
      return scrollWidth > clientWidth || scrollHeight > clientHeight;
    });
    expect(cut, `${longest.companyName} is cut`).toBe(false);
    const [name, button] = [await said.boundingBox(), await chosen.boundingBox()];
    expect(name?.height).toBeLessThanOrEqual(button?.height ?? 0);
    expect((button?.x ?? width) + (button?.width ?? 0)).toBeLessThanOrEqual(width);
    await axe(page);
  });
}
