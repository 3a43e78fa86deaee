import { AxeBuilder } from "@axe-core/playwright";
import {
  type Browser,
  test as base,
  type Locator,
  type Page,
  expect as playwrightExpect,
} from "@playwright/test";
import { expectIn, lookFor } from "./french/playwright";
import { inFrench } from "./french/words";
import { PASSWORD } from "./stack";

/** Another one where the page speaks another language than the journeys. */
export let expect = playwrightExpect;

/** Refusals and a network that is down are part of the journeys; anything else on the console is a fault. */
const EXPECTED = /Failed to load resource|net::ERR_/;

export const test = base.extend<{ faults: string[] }, { inFrench: undefined }>({
  inFrench: [
    async ({ browser }, use, { project }) => {
      if (project.name === "french") {
        const words = await inFrench();
        const page = await browser.newPage();
        lookFor(words, page);
        await page.close();
        expect = expectIn(words, playwrightExpect);
      }
      await use(undefined);
    },
    { scope: "worker", auto: true },
  ],
  faults: [
    async ({ page }, use) => {
      const faults: string[] = [];
      listen(page, faults);
      await use(faults);
      expect(faults, "console errors, and pages older than their run").toEqual([]);
    },
    { auto: true },
  ],
});

export function listen(page: Page, faults: string[]): void {
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !EXPECTED.test(message.text())) faults.push(message.text());
  });
  // page and server are of one make here: no chart may lack what its run does
  page.on("request", (request) => {
    if (request.url().endsWith("/v1/flows/drift")) faults.push(`drift: ${request.postData()}`);
  });
}

/** Another browser: nothing is shared with the first one. */
export async function anotherBrowser(browser: Browser, page: Page): Promise<Page> {
  const context = await browser.newContext({
    baseURL: test.info().project.use.baseURL,
    viewport: page.viewportSize(),
    locale: test.info().project.use.locale,
    reducedMotion: "reduce",
  });
  return context.newPage();
}

function moving(): number {
  return document.getAnimations().filter((one) => one.playState === "running").length;
}

export async function axe(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect.poll(() => page.evaluate(moving), "animations come to rest").toBe(0);
  // Its usual way opens a second page for a moment, which may take the focus from a list that closes without it. Only
  // frames of another origin need that.
  const framed = page.frames().length > 1;
  // Before its sheet is there, a frame has the browser's own colours.
  for (const frame of page.frames()) await frame.waitForLoadState("load");
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(!framed)
    // What is right is not described.
    .options({ resultTypes: ["violations"] })
    .analyze();
  const told = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(", ")}`,
  );
  expect(told, `axe on ${page.url()}`).toEqual([]);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  expect(wide, "nothing reaches over the side").toBe(false);
}

/** On paper a page has no bar and nothing to press, and is black on white whatever was chosen for the screen. */
export async function onPaper(page: Page): Promise<void> {
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  const bars = page.locator(":is(header, nav, footer, search):not(main *)");
  const pressed = page.locator("button, input, select, textarea");
  for (const one of [bars, pressed]) await expect(one.filter({ visible: true })).toHaveCount(0);
  const [ink, paper] = await page.getByRole("heading", { level: 1 }).evaluate((title) => {
    const grounds: string[] = [];
    for (let one: Element | null = title; one; one = one.parentElement)
      grounds.push(getComputedStyle(one).backgroundColor);
    return [getComputedStyle(title).color, grounds.find((one) => one !== "rgba(0, 0, 0, 0)")];
  });
  expect(lightness(ink), `ink ${ink}`).toBeLessThan(0.25);
  expect(lightness(paper), `paper ${paper}`).toBeGreaterThan(0.9);
  await page.emulateMedia({ media: null, colorScheme: null });
}

/** Of `rgb(…)`, from 0 to 1; none is paper. */
function lightness(color = "rgb(255, 255, 255)"): number {
  const [r = 0, g = 0, b = 0] = color.match(/[\d.]+/g)?.map(Number) ?? [];
  return (Math.max(r, g, b) + Math.min(r, g, b)) / 510;
}

export function heading(page: Page, name: string | RegExp) {
  return page.getByRole("heading", { level: 1, name });
}

/** A menu that was opened has the focus a moment later: a key pressed before that is lost. */
export async function expectMenuFocus(page: Page) {
  const within = () => Boolean(document.activeElement?.closest("[role=menu]"));
  await expect.poll(() => page.evaluate(within), "the focus is in the menu").toBe(true);
}

/** From where the focus is to this one, by the Tab key alone. */
export async function tabTo(page: Page, wanted: Locator, most = 150): Promise<void> {
  await expect(wanted).toBeVisible();
  for (let presses = 0; presses < most; presses += 1) {
    if (await wanted.evaluate((one) => one === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  await expect(wanted).toBeFocused();
}

/** Chosen by keys alone: Tab enters its group at the one that is chosen already, or the first, and the arrows go from there. */
export async function chooseByKeys(page: Page, wanted: Locator): Promise<void> {
  await expect(wanted).toBeVisible();
  const isInItsGroup = () =>
    wanted.evaluate(
      (one: HTMLInputElement) =>
        document.activeElement instanceof HTMLInputElement &&
        document.activeElement.name === one.name,
    );
  const isReached = () => wanted.evaluate((one) => one === document.activeElement);
  for (let presses = 0; presses < 150 && !(await isInItsGroup()); presses += 1)
    await page.keyboard.press("Tab");
  for (let presses = 0; presses < 20 && !(await isReached()); presses += 1)
    await page.keyboard.press("ArrowDown");
  await expect(wanted).toBeFocused();
  await page.keyboard.press("Space");
  await expect(wanted).toBeChecked();
}

/** Signed in and remembered, at home: by a call, as few journeys are about the login page. */
export async function signIn(page: Page, person: { email: string; password?: string }) {
  const answer = await page.request.post("/v1/auth/sign-in", {
    data: { username: person.email, password: person.password ?? PASSWORD, remember_me: true },
  });
  expect(answer.status(), await answer.text()).toBe(200);
  await page.goto("/");
  await expect(page.getByRole("button", { name: /^Hi, / })).toBeVisible();
}

/** Signed in by the login page, for as long as the page lives. */
export async function logIn(page: Page, person: { email: string }, remember = false) {
  await page.goto("/login");
  await typeSignIn(page, person, remember);
  await expect(page.getByRole("button", { name: /^Hi, / })).toBeVisible();
}

/** On the login page that is open. */
export async function typeSignIn(page: Page, person: { email: string }, remember: boolean) {
  await page.getByLabel("Email").fill(person.email);
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  if (remember) await page.getByLabel("Remember me on this device").check();
  await page.getByRole("button", { name: "Log in" }).click();
}

export function press(page: Page, name: string | RegExp) {
  return page.getByRole("button", { name, exact: typeof name === "string" }).click();
}

/** From the dashboard to the first step. */
export async function begin(
  page: Page,
  key: string,
  options: { digits?: string; email?: string } = {},
) {
  await page.getByRole("link", { name: "Activate a device", exact: true }).click();
  await page.getByRole("textbox", { name: "Serial number" }).fill(key);
  if (options.digits) await page.getByLabel(/Last 5 digits/).fill(options.digits);
  await press(page, "Continue");
  await expect(heading(page, "Activation Type")).toBeVisible();
  await page.getByRole("radio", { name: /New device/ }).check();
  if (options.email) await page.getByLabel(/Email of the vehicle's owner/).fill(options.email);
  await press(page, "Start");
  await expect(heading(page, "Power on the device")).toBeVisible();
}

export async function chooseVehicle(page: Page) {
  await expect(heading(page, "Vehicle details")).toBeVisible();
  await page.getByLabel("Year").selectOption("2022");
  await expect(page.getByLabel("Make")).toBeEnabled();
  await page.getByLabel("Make").selectOption({ label: "Toyota" });
  await expect(page.getByLabel("Model")).toBeEnabled();
  await page.getByLabel("Model").selectOption({ label: "Camry" });
  await press(page, "Save the vehicle");
}

export async function toVerify(page: Page) {
  await press(page, "The device is on");
  await chooseVehicle(page);
  await expect(heading(page, "Verify the connection")).toBeVisible();
}

export async function toFirmware(page: Page) {
  await toVerify(page);
  await press(page, "Ask the device");
  await expect(heading(page, "Check the firmware")).toBeVisible();
}

/** What a start without a signal needs is there: the worker, the page, and what starts from what is kept. */
export async function canStart(page: Page): Promise<void> {
  const ready = () =>
    page.evaluate(async () => {
      const scripts = await (await caches.open("assets")).keys();
      return (
        navigator.serviceWorker.controller !== null &&
        (await caches.match("/index"))?.status === 200 &&
        scripts.some(({ url }) => url.includes("/start-from-kept"))
      );
    });
  await expect.poll(ready).toBe(true);
}
