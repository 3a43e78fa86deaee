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

// What a part imports comes along with it: the first of these to reach a module has it. A text module has the name of
// its script behind a zero, and stays by itself.

/** What every page is drawn with. */
const PAGE =
  /@mantine\/core\/esm\/(core\/MantineProvider\/MantineProvider\.|components\/(Button\/Button|Skeleton\/Skeleton|TextInput\/TextInput)\.)|^[^\0]*\/src\/(layouts\/(alert-bar|layout\.module)|shared\/(api\/send|forms\/(card-numbers|validation)|ui\/(heading|icons|mark|note|panel)))\./;

/** What opens over a page: none is open on a first one. */
const OVERLAYS =
  /@mantine\/core\/esm\/components\/(Menu\/Menu|Popover\/Popover|Modal\/Modal|ScrollArea\/ScrollArea|Overlay\/Overlay|Portal\/Portal|FocusTrap\/FocusTrap)\.|shared\/ui\/dialog/;

/** What one signs in with, and all boxes. */
const BOXES =
  /@mantine\/core\/esm\/components\/(Checkbox\/Checkbox|PasswordInput\/PasswordInput)\.|^[^\0]*\/src\/(features\/identity\/(card|login\.module|sign-in|sign-in-form|sign-in-form\.module)|shared\/(api\/past-limits|ui\/password-field))\./;

const FORMS =
  /^[^\0]*\/src\/shared\/(forms\/(fault-words|fields|unsaved)|scan\/scan-code|ui\/code-field)\./;

/** What stands round a page that is for more than one purpose: who looks, for whom, what waits, and where else to go. */
const ROUND =
  /^[^\0]*\/src\/(layouts\/(footer|breadcrumbs|cookie-banner|viewer|person-name|waiting-forms)\.|features\/partners\/(acting-banner|wrong-site|choose)\.|shared\/(navigation\/|kept\/waiting\.|session\/ask-business\.|catalogue\/money\.|media\/viewer\.|ui\/(card|choice|data-table|empty-state|offline-bar|preferences|status|status-tabs|task-bar)\.))|infiniteQueryOptions/;

/** What is told while one is at work. */
const NEWS =
  /^[^\0]*\/src\/shared\/(live\/|time\/age\.|api\/(error-words|run-words))|eventsource-parser/;

/** What an activation begins with. */
const SETUP =
  /^[^\0]*\/src\/(features\/activation\/(entered|queries|schema|setup\.module|types)|shared\/vehicles\/vin)\./;

/** What products are shown, found and taken with. */
const SHOP =
  /^[^\0]*\/src\/(features\/catalogue\/(queries|search-screen\.module|parts\/(counted|nothing-found|product-card|product-grid|search-type|search-type-select))|shared\/(cart\/(actions|add|add-to-cart|quantity-field)|catalogue\/(availability|case-quantity|price|recent-searches|sku|suggestions)|fit\/(chosen-bar|fit|queries)|stored-(list|shape)|vehicles\/chosen|ui\/(done-button|lazy-image|page-links|page-window)))\./;

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
            { name: "page", test: PAGE },
            { name: "boxes", test: BOXES },
            { name: "overlays", test: OVERLAYS },
            { name: "forms", test: FORMS },
            { name: "flows", test: /node_modules\/(@xstate|xstate)\// },
            { name: "round", test: ROUND },
            { name: "news", test: NEWS },
            { name: "setup", test: SETUP },
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
