import {
  convertCssVariables,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  mergeMantineTheme,
} from "@mantine/core";
import type { Plugin } from "vite";
import { cssVariables, theme } from "../src/app/theme.ts";

const NAME = "virtual:theme.css";

/** Writes the theme's CSS variables into a sheet at build time: a style tag made in the browser would break the CSP. */
export function themeSheet(): Plugin {
  return {
    name: "theme-sheet",
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load(id) {
      if (id !== `\0${NAME}`) return undefined;
      const merged = mergeMantineTheme(DEFAULT_THEME, theme);
      const base = defaultCssVariablesResolver(merged);
      const own = cssVariables(merged);
      return convertCssVariables({
        variables: { ...base.variables, ...own.variables },
        light: { ...base.light, ...own.light, "--mantine-color-scheme": "light" },
        dark: { ...base.dark, ...own.dark, "--mantine-color-scheme": "dark" },
      });
    },
  };
}
