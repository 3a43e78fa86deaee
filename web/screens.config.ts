import { defineConfig } from "@playwright/test";
import journeys from "./playwright.config";

/** A screenshot of every screen at both widths, into `.screens/` (git-ignored). */
export default defineConfig(journeys, {
  testDir: "screens",
  projects: [
    { name: "desktop", use: { viewport: { width: 1300, height: 860 } } },
    {
      name: "phone",
      grep: /@phone/,
      use: { viewport: { width: 390, height: 844 }, hasTouch: true },
    },
    { name: "dark", use: { viewport: { width: 1300, height: 860 }, colorScheme: "dark" } },
    {
      name: "french",
      grep: /@french/,
      use: { viewport: { width: 1300, height: 860 }, locale: "fr-CA" },
    },
    {
      name: "phone-french-dark",
      grep: /@french/,
      use: {
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        locale: "fr-CA",
        colorScheme: "dark",
      },
    },
  ],
});
