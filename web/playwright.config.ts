import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

const installed = [process.env.E2E_CHROMIUM, "/usr/bin/chromium", "/usr/bin/google-chrome"].find(
  (path) => path && existsSync(path),
);

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  timeout: 120_000,
  expect: { timeout: 20_000 },
  fullyParallel: true,
  workers: 2,
  // On a machine that others slow down one journey may run out of time; it is named as flaky then.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: true,
  reporter: [["list"]],
  use: {
    baseURL: process.env.E2E_BASE_URL ?? "http://localhost:8000",
    locale: "en-CA",
    reducedMotion: "reduce",
    trace: "retain-on-failure",
    launchOptions: { executablePath: installed, args: ["--no-sandbox"] },
  },
  projects: [
    { name: "desktop", use: { viewport: { width: 1280, height: 860 } } },
    {
      name: "phone",
      grep: /@phone/,
      use: { viewport: { width: 390, height: 844 }, hasTouch: true },
    },
  ],
});
