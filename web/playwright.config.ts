import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

const installed = [process.env.E2E_BROWSER, "/usr/bin/chromium", "/usr/bin/google-chrome"].find(
  (path) => path && existsSync(path),
);

/**
 * Journeys are chosen by their tags. `@whole` is left out unless WHOLE=1. `@phone` is done at both widths then, and at
 * the desktop's otherwise, but for `@phone-first`, which is done on the phone. `@alone` changes what others need: it
 * has the portal for itself when E2E_PART is "alone", and is left out when it is "together" (see dev/journeys.py).
 * `@english` is left out in French: it compares languages, or looks at what there is in English alone.
 */
const WHOLE = process.env.WHOLE === "1";
const PART = process.env.E2E_PART ?? "";

const ANY = /(?:)/;
const ALONE = PART === "alone" ? /@alone/ : ANY;
const both = (one: RegExp, other: RegExp) => new RegExp(`(?=.*${one.source})(?=.*${other.source})`);
const leftOut = [...(WHOLE ? [] : [/@whole/]), ...(PART === "together" ? [/@alone/] : [])];

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  outputDir: `test-results/${PART}`,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  fullyParallel: true,
  workers: PART === "alone" ? 1 : 2,
  // What fails is tried again after all the others, when nothing else is busy: `--last-failed`.
  retries: 0,
  forbidOnly: true,
  reporter: [["list"]],
  use: {
    baseURL: process.env.E2E_BASE_URL ?? "http://localhost:8000",
    // Journeys look at what the server sends; the one that reads offline lets the worker in.
    serviceWorkers: "block",
    locale: "en-CA",
    reducedMotion: "reduce",
    // The page at each step is in it; the film of the screen beside them slows every journey down.
    trace: { mode: "retain-on-failure", screenshots: false },
    launchOptions: { executablePath: installed, args: ["--no-sandbox"] },
  },
  projects: [
    {
      name: "desktop",
      grep: ALONE,
      grepInvert: WHOLE ? leftOut : [...leftOut, /@phone-first/],
      use: { viewport: { width: 1300, height: 860 } },
    },
    {
      name: "phone",
      grep: both(ALONE, WHOLE ? /@phone/ : /@phone-first/),
      grepInvert: leftOut,
      use: { viewport: { width: 390, height: 844 }, hasTouch: true },
    },
    // The same journeys look for the French words (e2e/french).
    ...(WHOLE
      ? [
          {
            name: "french",
            grep: ALONE,
            grepInvert: [...leftOut, /@english/],
            use: { viewport: { width: 1300, height: 860 }, locale: "fr-CA" },
          },
        ]
      : []),
  ],
});
