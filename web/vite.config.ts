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

const PAGE =
  /src\/(layouts\/(layout|alert-bar|footer|breadcrumbs)|shared\/(alerts|navigation)\/|shared\/ui\/(card|choice|heading|icons|mark|note|panel|preferences|status)\b|shared\/api\/(send|error-words|run-words))/;

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
            { name: "forms", test: /node_modules\/(@hookform|react-hook-form|zod)\// },
            { name: "flows", test: /node_modules\/(@xstate|xstate)\// },
            { name: "page", test: PAGE },
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
    testTimeout: 30_000,
  },
});
