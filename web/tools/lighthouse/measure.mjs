/**
 * The first pages as a phone gets them: Lighthouse's mobile run, simulated, each several times, and the slowest answers to
 * a press and to a key on a CPU slowed 4 times. The other public pages once, without their speed. The dashboard of whoever
 * is signed in on a slow line. `node measure.mjs ADDRESS BROWSER ROUNDS EMAIL PASSWORD` prints one line of JSON for each.
 */
import { chromium } from "@playwright/test";
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";
import { ADDRESSES, screensOf } from "../../screens/addresses.ts";

const BESIDE_SPEED = ["accessibility", "best-practices", "seo"];
const CATEGORIES = ["performance", ...BESIDE_SPEED];
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

/** What else visitors open by its address alone; on its way out, or without a signal, a page is nobody's to find. */
const OTHERS = ["/", "/deals", ...screensOf("visitor").map((path) => ADDRESSES[path].to)].filter(
  (path) => !(path in PAGES) && !/[?#]/.test(path) && path !== "/offline",
);

/** 400 kbit/s, with 400 ms there and back. */
const SLOW_LINE = {
  offline: false,
  latency: 400,
  downloadThroughput: 50_000,
  uploadThroughput: 50_000,
};
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, locale: "en-CA" };

const [, , address, browser, rounds, email, password] = process.argv;

for (const [path, use] of Object.entries(PAGES)) {
  const runs = [];
  for (let round = 0; round < Number(rounds); round++) runs.push(await loaded(address + path));
  const figures = Object.fromEntries(
    Object.keys(runs[0]).map((name) => [name, median(runs.map((run) => run[name]))]),
  );
  const answers = await pressed(address + path, use);
  console.log(JSON.stringify({ kind: "first", page: path, ...figures, ...answers }));
}
for (const path of OTHERS) {
  const { scores } = await judged(address + path, BESIDE_SPEED);
  console.log(JSON.stringify({ kind: "other", page: path, ...scores }));
}
const headings = [];
for (let round = 0; round < Number(rounds); round++) headings.push(await headed());
console.log(JSON.stringify({ kind: "dashboard", heading: median(headings) }));

/** Scores of 100, the shift of what is drawn, and when the largest part is, in seconds. */
async function loaded(url) {
  const { lhr, scores } = await judged(url, CATEGORIES);
  return {
    ...scores,
    shift: lhr.audits["cumulative-layout-shift"].numericValue,
    largest: lhr.audits["largest-contentful-paint"].numericValue / 1000,
    blocked: lhr.audits["total-blocking-time"].numericValue,
    index: lhr.environment.benchmarkIndex,
  };
}

/** What Lighthouse says of a page, with its scores of 100. */
async function judged(url, categories) {
  const chrome = await launch({ chromePath: browser, chromeFlags: FLAGS, logLevel: "silent" });
  try {
    const options = { port: chrome.port, onlyCategories: categories, logLevel: "silent" };
    const { lhr } = await lighthouse(url, options);
    for (const { id, title, score, scoreDisplayMode } of Object.values(lhr.audits)) {
      if (score === 0 && scoreDisplayMode === "binary") console.error(`${url}: ${id}, ${title}`);
    }
    const scores = categories.map((name) => [name, Math.round(lhr.categories[name].score * 100)]);
    return { lhr, scores: Object.fromEntries(scores) };
  } finally {
    await chrome.kill();
  }
}

/** When the heading of the dashboard stands on a slow line, in seconds, for whoever is remembered and comes the first time. */
async function headed() {
  const chrome = await chromium.launch({ executablePath: browser, args: ["--no-sandbox"] });
  try {
    const context = await chrome.newContext(PHONE);
    const data = { username: email, password, remember_me: true };
    const signedIn = await context.request.post(`${address}/v1/auth/sign-in`, { data });
    if (!signedIn.ok()) throw new Error(`nobody is signed in: ${signedIn.status()}`);
    const page = await context.newPage();
    // The page itself says when: what waits for it from outside looks every half second.
    await page.addInitScript(() => {
      window.headed = new Promise((drawn) => {
        const seen = new MutationObserver(() => {
          const heading = document.querySelector("main h1")?.textContent ?? "";
          if (!heading.startsWith("Hello")) return;
          seen.disconnect();
          requestAnimationFrame(() => setTimeout(() => drawn(performance.now())));
        });
        seen.observe(document, { childList: true, subtree: true });
      });
    });
    const line = await context.newCDPSession(page);
    await line.send("Network.enable");
    await line.send("Network.emulateNetworkConditions", SLOW_LINE);
    await page.goto(address, { waitUntil: "commit" });
    await page.getByRole("heading", { level: 1, name: /^Hello/ }).waitFor();
    return (await page.evaluate(() => window.headed)) / 1000;
  } finally {
    await chrome.close();
  }
}

/** The longest that a press (`click`), and anything that was pressed or typed (`inp`), waited for its picture, in ms. */
async function pressed(url, use) {
  const chrome = await chromium.launch({ executablePath: browser, args: ["--no-sandbox"] });
  try {
    const page = await chrome.newPage(PHONE);
    await page.goto(url);
    await page.getByRole("heading", { level: 1 }).waitFor();
    const slow = await page.context().newCDPSession(page);
    await slow.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    await page.evaluate(() => {
      window.answers = [];
      new PerformanceObserver((list) => {
        for (const { name, interactionId, duration } of list.getEntries())
          if (interactionId) window.answers.push({ isKey: name.startsWith("key"), duration });
      }).observe({ type: "event", durationThreshold: 16 });
    });
    await use(page);
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 500))),
    );
    return await page.evaluate(() => {
      const longest = (answers) => Math.max(0, ...answers.map(({ duration }) => duration));
      const clicks = window.answers.filter(({ isKey }) => !isKey);
      return { click: longest(clicks), inp: longest(window.answers) };
    });
  } finally {
    await chrome.close();
  }
}

function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}
