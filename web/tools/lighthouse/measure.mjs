/**
 * The first pages as a phone gets them: Lighthouse's mobile run, simulated, each several times, and the slowest answer to
 * a press on a CPU slowed 4 times. `node measure.mjs ADDRESS BROWSER ROUNDS` prints one line of JSON for each page.
 */
import { chromium } from "@playwright/test";
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";

const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];
const FLAGS = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage"];

/** Where each page is pressed and typed at. */
const PAGES = {
  "/login": async (page) => {
    await page.getByLabel("Email").click();
    await page.keyboard.type("someone@example.com");
    await page.getByRole("checkbox").click();
    await page.getByRole("button", { name: "Log in" }).click();
  },
  "/search": async (page) => {
    await page.getByRole("button", { name: "Filters" }).click();
    await page.getByRole("checkbox").nth(1).click();
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
  },
  "/activation": async (page) => {
    await page.getByRole("textbox", { name: "Serial number" }).click();
    await page.keyboard.type("FT-X1-00000042");
    await page.getByRole("button", { name: "Continue" }).click();
  },
};

const [, , address, browser, rounds = "5"] = process.argv;

for (const [path, use] of Object.entries(PAGES)) {
  const runs = [];
  for (let round = 0; round < Number(rounds); round++) runs.push(await loaded(address + path));
  const figures = Object.fromEntries(
    Object.keys(runs[0]).map((name) => [name, median(runs.map((run) => run[name]))]),
  );
  console.log(
    JSON.stringify({ page: path, ...figures, answer: await pressed(address + path, use) }),
  );
}

/** Scores of 100, the shift of what is drawn, and when the largest part is, in seconds. */
async function loaded(url) {
  const chrome = await launch({ chromePath: browser, chromeFlags: FLAGS, logLevel: "silent" });
  try {
    const options = { port: chrome.port, onlyCategories: CATEGORIES, logLevel: "silent" };
    const { lhr } = await lighthouse(url, options);
    for (const { id, title, score, scoreDisplayMode } of Object.values(lhr.audits)) {
      if (score === 0 && scoreDisplayMode === "binary") console.error(`${url}: ${id}, ${title}`);
    }
    const scores = CATEGORIES.map((name) => [name, Math.round(lhr.categories[name].score * 100)]);
    return {
      ...Object.fromEntries(scores),
      shift: lhr.audits["cumulative-layout-shift"].numericValue,
      largest: lhr.audits["largest-contentful-paint"].numericValue / 1000,
      blocked: lhr.audits["total-blocking-time"].numericValue,
      index: lhr.environment.benchmarkIndex,
    };
  } finally {
    await chrome.kill();
  }
}

/** The longest that a press or a key waited for its picture, in ms. */
async function pressed(url, use) {
  const chrome = await chromium.launch({ executablePath: browser, args: ["--no-sandbox"] });
  try {
    const context = await chrome.newContext({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      locale: "en-CA",
    });
    const page = await context.newPage();
    await page.goto(url);
    await page.getByRole("heading", { level: 1 }).waitFor();
    const slow = await context.newCDPSession(page);
    await slow.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    await page.evaluate(() => {
      window.answers = [];
      new PerformanceObserver((list) => {
        for (const { interactionId, duration } of list.getEntries())
          if (interactionId) window.answers.push(duration);
      }).observe({ type: "event", durationThreshold: 16 });
    });
    await use(page);
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 500))),
    );
    return await page.evaluate(() => Math.max(0, ...window.answers));
  } finally {
    await chrome.close();
  }
}

function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}
