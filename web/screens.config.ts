import { defineConfig } from "@playwright/test";
import journeys from "./playwright.config";

/** A screenshot of every screen at both widths, into `.screens/` (git-ignored). */
export default defineConfig(journeys, {
  testDir: "screens",
  projects: [
    { name: "desktop", use: { viewport: { width: 1280, height: 860 } } },
    {
      name: "phone",
      grep: /@phone/,
      use: { viewport: { width: 390, height: 844 }, hasTouch: true },
    },
    { name: "dark", use: { viewport: { width: 1280, height: 860 }, colorScheme: "dark" } },
  ],
});
