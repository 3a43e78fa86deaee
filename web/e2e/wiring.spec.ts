import type { Page } from "@playwright/test";
import { type Frame, readFrame } from "../src/shared/scan/frames";
import { axe, expect, heading, press, signIn, tabTo, test } from "./journey";
import { greysOf, textOf } from "./paper";
import { IVAN } from "./stack";

const NO_DATA = "No data available. Please try again using a different vehicle.";
const CAMRY = "2022,448,2469";
const VINS = {
  camry: "4T1B11HK9NA100001",
  wrongDigit: "4T1B11HK0NA100001",
  incomplete: "4T1B11HK9NA000206",
  unknown: "4T1B11HK2NA000404",
  away: "4T1B11HK4NA000503",
};

async function choose(page: Page, year: string, make: string, model: string) {
  const search = page.getByRole("main").getByRole("form", { name: "Vehicle search" });
  await search.getByLabel("Year", { exact: true }).selectOption(year);
  await search.getByLabel("Make", { exact: true }).selectOption(make);
  await search.getByLabel("Model", { exact: true }).selectOption(model);
  await search.getByRole("button", { name: "Search", exact: true }).click();
}

/** A picture of the page as a camera would see it: on white, 400 dots wide, ten to each of the 35 squares of the code. By
 * a broken number of dots the library misses one address in ten. */
async function pixels(page: Page, alt: string): Promise<Frame> {
  const data = await page.getByAltText(alt).evaluate((image: HTMLImageElement) => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 400, height: 400 });
    const pen = canvas.getContext("2d");
    if (!pen) throw new Error("no canvas");
    pen.fillStyle = "white";
    pen.fillRect(0, 0, 400, 400);
    pen.drawImage(image, 25, 25, 350, 350);
    return [...pen.getImageData(0, 0, 400, 400).data];
  });
  return { data: new Uint8ClampedArray(data), width: 400, height: 400 };
}

function option(page: Page, name: string) {
  return page.getByRole("list", { name: "Options" }).getByRole("button", { name });
}

test("an installer comes from year, make and model to the brake wire, and prints it @phone", async ({
  page,
}) => {
  await signIn(page, IVAN);
  await page.goto("/wiring");
  await axe(page);
  await choose(page, "2022", "Toyota", "Camry");
  await expect(heading(page, "2022 Toyota Camry")).toBeVisible();
  await expect(page).toHaveURL(/slide=vehicle/);
  await expect(page.getByRole("list", { name: "Options" }).getByRole("button")).toHaveCount(7);
  await axe(page);
  await option(page, "Firstech Wiring Diagrams").click();
  await press(page, /^Push-to-Start\. Remote Start/);
  const brake = page.getByRole("row").filter({ hasText: "Brake" });
  await expect(brake).toHaveCount(1);
  await axe(page);
  await page.getByRole("link", { name: "Print", exact: true }).click();
  await expect(heading(page, "2022 Toyota Camry")).toBeVisible();
  await expect(
    page.getByRole("heading", { name: /^Firstech: Push-to-Start/ }).first(),
  ).toBeVisible();
  await expect(page.getByRole("heading", { name: /^iDatawire: / }).first()).toBeVisible();
  await page.getByRole("checkbox", { name: /^Firstech: Lights/ }).uncheck();
  await expect(page.getByRole("heading", { name: "Firstech: Lights" })).toHaveCount(0);
  await axe(page);
  const address = `${new URL(page.url()).origin}/wiring?vehicle=${encodeURIComponent(CAMRY)}&slide=vehicle`;
  const read = async () => readFrame(await pixels(page, "QR code of this vehicle's page"));
  await expect.poll(read).toBe(address); // a picture that is not there yet has no code
  const [wire = "", color = "", place = ""] = await brake
    .first()
    .locator("th, td")
    .allTextContents();
  expect([wire, color !== "", place !== ""]).toEqual(["Brake", true, true]);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("button", { name: "Print", exact: true })).toBeHidden();
  await expect(page.getByRole("link", { name: "Back", exact: true })).toBeHidden();
  // Without colours a wire is told by the words beside it, black on white.
  const painted = page.getByRole("cell").filter({ has: page.locator("svg") });
  expect((await painted.allTextContents()).filter((words) => words.trim() === "")).toEqual([]);
  await painted
    .locator("svg")
    .first()
    .evaluate((stroke: SVGElement) => {
      stroke.style.visibility = "hidden";
    });
  const greys = await greysOf(painted.first());
  expect(greys.darkest).toBeLessThan(80);
  expect(greys.lightest).toBe(255);
  const paper = textOf(await page.pdf());
  for (const told of ["2022 Toyota Camry", " Brake ", `${color} ${place}`])
    expect(paper).toContain(told);
  expect(paper).not.toContain("Firstech: Lights");
});

test("from the search to the wire by the keyboard, of a vehicle that mirrors another", {
  tag: "@whole",
}, async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await signIn(page, IVAN);
  await page.goto("/wiring");
  const search = page.getByRole("main").getByRole("form", { name: "Vehicle search" });
  for (const [name, typed] of [
    ["Year", "2021"],
    ["Make", "Toyota"],
    ["Model", "Camry"],
  ] as const) {
    const field = search.getByLabel(name, { exact: true });
    await expect(field).toBeEnabled();
    await tabTo(page, field);
    await page.keyboard.type(typed);
  }
  await tabTo(page, search.getByRole("button", { name: "Search", exact: true }));
  await page.keyboard.press("Enter");
  await expect(heading(page, "2021 Toyota Camry")).toBeVisible();
  const mirrors = "This vehicle mirrors the 2022 Toyota Camry: its wiring is shown.";
  await expect(page.getByText(mirrors)).toBeVisible();
  await expect(page.getByText("Tech tip", { exact: true })).toBeVisible();
  await tabTo(page, option(page, "Firstech Wiring Diagrams"));
  await page.keyboard.press("Enter");
  await expect(page.getByText(mirrors)).toBeVisible();
  await tabTo(page, page.getByRole("button", { name: /^Push-to-Start\. Remote Start/ }));
  await page.keyboard.press("Enter");
  const brake = page.getByRole("row").filter({ hasText: "Brake" });
  await expect(brake).toHaveCount(1);
  await tabTo(page, brake.getByRole("button", { name: "Copy Brake" }));
  await page.keyboard.press("Enter");
  await expect(page.getByText("Copied", { exact: true })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.split("\t")[0]).toBe("Brake");
  const picture = page.getByRole("button", { name: /^Show the picture of / }).first();
  await tabTo(page, picture);
  await page.keyboard.press("Enter");
  const viewer = page.getByRole("dialog");
  await expect(viewer.getByRole("img").first()).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(viewer).toHaveCount(0);
  await tabTo(page, page.getByRole("link", { name: "Print", exact: true }));
  await page.keyboard.press("Enter");
  await page.emulateMedia({ media: "print" });
  await expect(page.getByText(mirrors)).toBeVisible();
});

test("instructions and guides of a vehicle are opened @phone", { tag: "@whole" }, async ({
  page,
}) => {
  await signIn(page, IVAN);
  await page.goto(`/wiring?vehicle=${CAMRY}&slide=vehicle`);
  await option(page, "Install Instructions").click();
  await expect(heading(page, /^Install Instructions: /)).toBeVisible();
  const categories = page.getByRole("list", { name: "Categories" }).getByRole("button");
  await categories.nth(1).click();
  await expect(categories.nth(1)).toHaveAttribute("aria-pressed", "true");
  const steps = Number((await categories.nth(1).locator("small").textContent()) ?? "0");
  await expect(page.getByRole("main").locator("ol > li")).toHaveCount(steps);
  await axe(page);
  await page.getByRole("link", { name: "All options" }).click();
  await option(page, "Installer Guides").click();
  await expect(heading(page, /^Installer Guides: /)).toBeVisible();
  await axe(page);
  await page.getByRole("main").getByRole("link", { name: "Programming: First steps" }).click();
  await expect(page).toHaveURL(/\/installer-guides\?/);
  await expect(page.getByText("Before you begin")).toBeVisible();
});

test("words are found in all sources, and the trim narrows them @phone", { tag: "@whole" }, async ({
  page,
}) => {
  await signIn(page, IVAN);
  await page.goto(`/wiring?vehicle=${CAMRY}&slide=vehicle`);
  await page.getByLabel("Find in all sources").fill("brake");
  for (const source of ["Firstech", "iDatawire", "3rd Party"]) {
    await expect(page.getByRole("heading", { level: 2, name: source })).toBeVisible();
  }
  await axe(page);
  const found = page.getByText(/^\d+ wires found$/);
  const all = Number.parseInt((await found.textContent()) ?? "", 10);
  const trim = page.getByLabel("Trim", { exact: true });
  await trim.selectOption({ index: 1 });
  await expect
    .poll(async () => Number.parseInt((await found.textContent()) ?? "", 10))
    .toBeLessThan(all);
  await trim.selectOption("");
  await page.getByRole("button", { name: "Sources differ" }).first().click();
  const beside = page.getByRole("dialog", { name: /^Sources: / });
  await expect(beside.getByRole("columnheader", { name: "Firstech" })).toBeVisible();
  await expect(beside.getByText("Sources differ").first()).toBeVisible();
  await axe(page);
  await beside.getByRole("button", { name: "Close" }).click();
  await page.getByLabel("Find in all sources").fill("no such wire");
  await expect(page.getByText("0 wires found")).toBeVisible();
});

test("a VIN is told of, looked up or refused in the words of the document @phone", {
  tag: "@whole",
}, async ({ page }) => {
  await signIn(page, IVAN);
  await page.goto("/wiring");
  const search = page.getByRole("main").getByRole("form", { name: "Vehicle search" });
  const vin = search.getByRole("textbox", { name: "VIN" });
  const go = search.getByRole("button", { name: "Search", exact: true });
  await go.click();
  await expect(page.getByText("Please select a Year, Make and Model to continue")).toBeVisible();
  await expect(page.getByText("Please provide a vehicle VIN number to continue")).toBeVisible();
  await vin.fill(VINS.away);
  await go.click();
  await expect(search.getByText(/^Vin searching is currently unavailable/)).toBeVisible();
  await vin.fill(VINS.incomplete);
  await go.click();
  await expect(search.getByText(/^Unable to find a vehicle using this vin/)).toBeVisible();
  await vin.fill(VINS.unknown);
  await go.click();
  await expect(search.getByText(NO_DATA)).toBeVisible();
  await vin.fill(VINS.wrongDigit);
  await expect(search.getByText(/check digit of this VIN does not fit/)).toBeVisible();
  await axe(page);
  await go.click();
  await expect(heading(page, "2022 Toyota Camry")).toBeVisible();
  await page.goto("/wiring");
  await search.getByLabel("Recent vehicles").selectOption("2022 Toyota Camry");
  await expect(heading(page, "2022 Toyota Camry")).toBeVisible();
  const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
  expect(kept).not.toContain(VINS.wrongDigit);
});

test("a vehicle that nobody knows brings the former one back @phone", { tag: "@whole" }, async ({
  page,
}) => {
  await signIn(page, IVAN);
  await page.goto("/wiring");
  await choose(page, "2022", "Toyota", "Camry");
  await expect(heading(page, "2022 Toyota Camry")).toBeVisible();
  await page.getByRole("link", { name: "Another vehicle" }).click();
  await choose(page, "2021", "Testmark", "Empty");
  const main = page.getByRole("main");
  await expect(main.getByText(NO_DATA)).toBeVisible();
  await expect(main.getByLabel("Year", { exact: true })).toHaveValue("2022");
  await expect(main.getByLabel("Make", { exact: true })).toHaveValue("448");
  await expect(main.getByLabel("Model", { exact: true })).toHaveValue("2469");
  await press(page, "Clear the search");
  await expect(main.getByLabel("Year", { exact: true })).toHaveValue("");
});

test("a source that is away is named, and the others stand; a script is text @phone", {
  tag: "@whole",
}, async ({ page }) => {
  await signIn(page, IVAN);
  await page.goto("/wiring");
  await choose(page, "2023", "Testmark", "Automob Down");
  await option(page, "3rd Party Wiring Diagrams").click();
  await expect(page.getByRole("alert")).toContainText("3rd Party does not answer at the moment.");
  await page.getByLabel("Find in all sources").fill("no such wire");
  await expect(page.getByRole("alert")).toContainText("3rd Party does not answer at the moment.");
  await page.getByLabel("Find in all sources").fill("");
  await page.getByRole("link", { name: "All options" }).click();
  await option(page, "iDatawire Wiring Diagrams").click();
  await expect(page.getByRole("row").filter({ hasText: "Starter" })).toHaveCount(1);
  await page.goto("/wiring");
  await choose(page, "2023", "Testmark", "Hostile");
  await option(page, "iDatawire Wiring Diagrams").click();
  await expect(page.getByRole("row").filter({ hasText: "<script>" }).first()).toBeVisible();
  expect(await page.title()).not.toContain("taken");
});

test("modules and harnesses come with a price, and guides open by folder @phone", {
  tag: "@whole",
}, async ({ page }) => {
  await signIn(page, IVAN);
  await page.goto(`/wiring?vehicle=${CAMRY}&slide=modules`);
  const products = page.getByRole("list", { name: "Products" }).first();
  await expect(products.getByRole("listitem").first()).toContainText("Klon");
  await axe(page);
  await page.goto(`/wiring?vehicle=${CAMRY}&slide=t-harnesses`);
  await expect(page.getByRole("list", { name: "Products" }).getByRole("listitem")).toHaveCount(3);
  await page.getByRole("main").getByRole("button", { name: "Search", exact: true }).click();
  await expect(page.getByText("Required field")).toBeVisible();
  await page.goto("/installer-guides");
  await axe(page);
  await page.getByLabel("Search all guides").fill("bypass modules: first");
  await expect(page.getByRole("link", { name: "Bypass Modules: First steps" })).toBeVisible();
  await page.getByLabel("Search all guides").fill("bypass");
  await page.getByRole("link", { name: "Bypass Modules", exact: true }).click();
  await page.getByRole("link", { name: "Bypass Modules: First steps" }).click();
  await expect(page.getByText("Before you begin")).toBeVisible();
  const download = page.waitForEvent("download");
  await press(page, "Download");
  expect((await download).suggestedFilename()).toBe("bypass-guides-first-steps.txt");
  await axe(page);
});

test("the search beside the top search leads to the vehicle @phone", { tag: "@whole" }, async ({
  page,
}) => {
  await signIn(page, IVAN);
  await press(page, "Search by vehicle");
  const dialog = page.getByRole("dialog", { name: "Search by vehicle" });
  await dialog.getByLabel("Year", { exact: true }).selectOption("2019");
  await dialog.getByLabel("Make", { exact: true }).selectOption("Honda");
  await dialog.getByLabel("Model", { exact: true }).selectOption("Civic");
  await dialog.getByRole("button", { name: "Search", exact: true }).click();
  await expect(heading(page, "2019 Honda Civic")).toBeVisible();
  await expect(dialog).toBeHidden();
});
