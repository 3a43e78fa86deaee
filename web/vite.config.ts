import { lingui, linguiTransformerBabelPreset } from "@lingui/vite-plugin";
import babel from "@rolldown/plugin-babel";
import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { compressed } from "./checks/compressed.ts";
import { firstPaint } from "./checks/first-paint.ts";
import { noWasm } from "./checks/no-wasm.ts";
import { pages } from "./checks/pages.ts";
import { serviceWorker } from "./checks/service-worker.ts";
import { textsByScript } from "./checks/texts.ts";
import { themeSheet } from "./checks/theme-sheet.ts";

// What a part imports comes along with it: the first of these to reach a module has it. A text module has the name of
// its script behind a zero, and stays by itself.

/** What every page is drawn with. */
const EVERY_PAGE =
  /@mantine\/core\/esm\/components\/(Button\/Button|Skeleton\/Skeleton)\.|^[^\0]*\/src\/(app\/(appearance|theme)|layouts\/notices\/alert-bar|shared\/(api\/(bot-check\/past-limits|send)|session\/site-country|ui\/(notes\/note|pictures\/(icons|mark)|screens\/(heading|panel)))|features\/content\/queries)\./;

/** What is typed into and ticked. */
const INPUTS =
  /@mantine\/core\/esm\/components\/(Checkbox\/Checkbox|TextInput\/TextInput)\.|^[^\0]*\/src\/shared\/forms\/(card-numbers|validation)\./;

const FORMS =
  /^[^\0]*\/src\/shared\/(forms\/(fault-words|fields|unsaved)|scan\/scan-code|ui\/fields\/code-field)\./;

/** What one signs in with. */
const SIGN_IN =
  /@mantine\/core\/esm\/components\/PasswordInput\/PasswordInput\.|^[^\0]*\/src\/(features\/identity\/(card|login\.module|sign-in\/(sign-in|sign-in-form|sign-in-form\.module))|shared\/ui\/fields\/password-field)\./;

/** What opens over a page: none is open on a first one. */
const OVERLAYS =
  /@mantine\/core\/esm\/components\/(Menu\/Menu|Popover\/Popover|Modal\/Modal|ScrollArea\/ScrollArea|Overlay\/Overlay|Portal\/Portal|FocusTrap\/FocusTrap)\.|^[^\0]*\/src\/shared\/ui\/dialogs\/(below|confirm|dialog|overlays)\./;

/** What is told while one is at work, and of the signal. */
const NEWS = /^[^\0]*\/src\/shared\/(live\/|ui\/notes\/(as-of|offline-bar)\.)|eventsource-parser/;

/** What stands round a page that is for more than one purpose: who looks, for whom, what waits, and where else to go. */
const ROUND =
  /^[^\0]*\/src\/(layouts\/(breadcrumbs\.module|footer|viewer|menus\/person-menu|notices\/(cookie-banner|waiting-forms))\.|features\/(activation\/dashboard\.module|content\/carousel\.module|partners\/(acting-banner|wrong-site|choose))\.|shared\/(cart\/cart-link\.module|navigation\/|kept\/waiting\.|session\/ask-business\.|catalogue\/money\.|media\/viewer\.|plans\/(calls|queries)\.|ui\/(dialogs\/opener|fields\/(choice|preferences)|lists\/(data-table|empty-state)|notes\/status|pictures\/lazy-image)\.))|infiniteQueryOptions|use-debounced-value\./;

/** The layout of most pages, which a page that is not found has without its route. */
const DEFAULT = /^[^\0]*\/src\/(layouts\/default\.|routes\/_default\.tsx\?tsr-split=)/;

/** What has a bar of its own, whose steps write into it. */
const TASK = /^[^\0]*\/src\/(layouts\/task|shared\/ui\/screens\/task-bar)\./;

/** What an activation begins with. */
const SETUP =
  /^[^\0]*\/src\/(features\/activation\/(queries|schema|types|start\/(entered|setup\.module))|shared\/(scan\/scan-device|time\/age))\./;

/** What products are shown, found and taken with. */
const SHOP =
  /^[^\0]*\/src\/(features\/catalogue\/(queries|remember|search-screen\.module|parts\/(counted|nothing-found|products\/(product-card|product-grid)|search\/(search-type|search-type-select)))|shared\/(cart\/(actions|add|add-to-cart|keep|quantity-field)|catalogue\/(availability|case-quantity|price|recent-searches|sku|suggestions)|fit\/(chosen-bar|fit|queries)|stored-list|vehicles\/chosen|ui\/(buttons\/done-button|lists\/(page-links|page-window))))\./;

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
    noWasm(),
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
        // The first script names every other one: seven signs of a hash are the fewest that the build takes.
        entryFileNames: "assets/[name]-[hash:7].js",
        chunkFileNames: "assets/[name]-[hash:7].js",
        assetFileNames: "assets/[name]-[hash:7][extname]",
        codeSplitting: {
          groups: [
            { name: "first", tags: ["$initial"] },
            { name: "every-page", test: EVERY_PAGE },
            { name: "inputs", test: INPUTS },
            { name: "forms", test: FORMS },
            { name: "sign-in", test: SIGN_IN },
            { name: "overlays", test: OVERLAYS },
            { name: "schemas", test: /node_modules\/zod\// },
            { name: "flows", test: /node_modules\/(@xstate|xstate)\// },
            { name: "news", test: NEWS },
            { name: "round", test: ROUND },
            { name: "default", test: DEFAULT },
            { name: "task", test: TASK },
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
