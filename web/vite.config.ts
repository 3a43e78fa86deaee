import { lingui, linguiTransformerBabelPreset } from "@lingui/vite-plugin";
import babel from "@rolldown/plugin-babel";
import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { compressed } from "./checks/compressed.ts";
import { pages } from "./checks/pages.ts";
import { serviceWorker } from "./checks/service-worker.ts";
import { themeSheet } from "./checks/theme-sheet.ts";

export default defineConfig({
  plugins: [
    tanstackRouter({
      target: "react",
      autoCodeSplitting: true,
      // What a page asks for comes with the page, not with the first one.
      codeSplittingOptions: {
        defaultBehavior: [["component", "loader"], ["errorComponent"], ["notFoundComponent"]],
      },
      generatedRouteTree: "src/app/routeTree.gen.ts",
    }),
    react(),
    babel({ presets: [linguiTransformerBabelPreset()] }),
    lingui(),
    themeSheet(),
    pages(),
    serviceWorker(),
    compressed(),
  ],
  resolve: { tsconfigPaths: true },
  build: { target: "es2023", sourcemap: false, reportCompressedSize: true, assetsInlineLimit: 0 },
  test: {
    environment: "jsdom",
    // One document and one set of modules for all files of a worker: making them for each took nine tenths of the
    // time. So no file may replace a module (`vi.mock`): another may have loaded it before, in an order that varies.
    isolate: false,
    include: ["src/**/*.test.{ts,tsx}", "{e2e,checks}/**/*.test.ts"],
    setupFiles: ["src/testing/setup.ts"],
    restoreMocks: true,
    testTimeout: 30_000,
  },
});
