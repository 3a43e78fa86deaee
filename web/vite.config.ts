import { lingui, linguiTransformerBabelPreset } from "@lingui/vite-plugin";
import babel from "@rolldown/plugin-babel";
import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { compressed } from "./checks/compressed.ts";
import { firstPaint } from "./checks/first-paint.ts";
import { pages } from "./checks/pages.ts";
import { serviceWorker } from "./checks/service-worker.ts";
import { textsByScript } from "./checks/texts.ts";
import { themeSheet } from "./checks/theme-sheet.ts";

/** What a first page is drawn with. */
const CONTROLS =
  /@mantine\/(hooks|core\/esm\/(core|utils|components\/(Button|UnstyledButton|Loader|Transition|Input|InputBase|TextInput|PasswordInput|ActionIcon|Checkbox|InlineInput|Skeleton|Paper|CloseButton))\/)/;

/** What opens over a page: none is open on a first one. */
const OVERLAYS =
  /@floating-ui|react-remove-scroll|tabbable|@mantine\/core\/esm\/components\/(Menu|Popover|Modal|ModalBase|Overlay|FocusTrap|ScrollArea|Portal|Floating)\/|shared\/ui\/dialog/;

/** What most pages have. A text module has the name of its script behind a zero, and stays by itself. */
const PAGE =
  /^[^\0]*\/src\/(layouts\/(layout|alert-bar|footer|breadcrumbs)|shared\/(alerts|navigation|live|kept\/waiting|time\/age|session\/ask-business|catalogue\/money)\b|shared\/ui\/(as-of|card|choice|data-table|empty-state|heading|icons|mark|note|offline-bar|panel|preferences|status)\b|shared\/api\/(send|error-words|run-words))|eventsource-parser|infiniteQueryOptions/;

/** What stands round a page that is for more than one purpose: who looks, for whom, and what waits. */
const VIEWER =
  /^[^\0]*\/src\/(layouts\/(viewer|person-menu|waiting-forms)|features\/partners\/(acting-banner|wrong-site|choose)|shared\/media\/viewer)\b/;

const FORMS =
  /node_modules\/(@hookform|react-hook-form|zod)\/|^[^\0]*\/src\/shared\/(forms\/(card-numbers|fault-words|fields|validation)|scan\/scan-code|ui\/(code|password)-field)\b/;

/** What products are shown, found and taken with. */
const SHOP =
  /^[^\0]*\/src\/(features\/catalogue\/(queries|parts\/(counted|nothing-found|product-card|product-grid|search-type))|shared\/(cart\/(actions|add|add-to-cart|quantity-field)|catalogue\/(availability|case-quantity|price|recent-searches|sku|suggestions)|fit\/(chosen-bar|fit|queries)|stored-list|vehicles\/chosen|ui\/(done-button|lazy-image|page-links|page-window)))\b/;

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
    textsByScript(),
    react(),
    babel({ presets: [linguiTransformerBabelPreset()] }),
    lingui(),
    themeSheet(),
    pages(),
    firstPaint(),
    serviceWorker(),
    compressed(),
  ],
  resolve: { tsconfigPaths: true },
  build: {
    target: "es2023",
    sourcemap: false,
    reportCompressedSize: true,
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "first", tags: ["$initial"] },
            { name: "controls", test: CONTROLS },
            { name: "overlays", test: OVERLAYS },
            { name: "forms", test: FORMS },
            { name: "flows", test: /node_modules\/(@xstate|xstate)\// },
            { name: "page", test: PAGE },
            { name: "viewer", test: VIEWER },
            { name: "shop", test: SHOP },
          ],
        },
      },
    },
  },
  test: {
    environment: "jsdom",
    // One document and one set of modules for all files of a worker: making them for each took nine tenths of the
    // time. So no file may replace a module (`vi.mock`): another may have loaded it before, in an order that varies.
    isolate: false,
    include: ["src/**/*.test.{ts,tsx}", "{e2e,checks,screens}/**/*.test.ts"],
    setupFiles: ["src/testing/setup.ts"],
    restoreMocks: true,
    // jsdom draws by an interval: one begun on a clock that is put away leaves every later file without animation frames.
    fakeTimers: { toNotFake: ["setInterval", "clearInterval", "nextTick", "queueMicrotask"] },
    testTimeout: 30_000,
  },
});
