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
      return variables();
    },
  };
}

/** All variables of the theme as a sheet, or those for which `wanted` holds. Dark is for screens alone: paper is white. */
function variables(wanted: (name: string) => boolean = () => true): string {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme);
  const base = defaultCssVariablesResolver(merged);
  const own = cssVariables(merged);
  const chosen = (all: Record<string, string>) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => wanted(name)));
  const light = { ...base.light, ...own.light, "--mantine-color-scheme": "light" };
  const dark = chosen({ ...base.dark, ...own.dark, "--mantine-color-scheme": "dark" });
  const sheet = (variables: Record<string, string>, inTheDark: Record<string, string>) =>
    convertCssVariables({ variables, light: {}, dark: inTheDark });
  const always = sheet(chosen({ ...base.variables, ...own.variables, ...light }), {});
  return `${always}@media screen{${sheet({}, dark)}}`;
}

/** Those of the theme's variables that a sheet names, and those that these name. */
export function sheetOf(sheet: string): string {
  const named = (text: string) =>
    [...text.matchAll(/var\((--[\w-]+)/g)].map(([, name = ""]) => name);
  const wanted = new Set(named(sheet));
  for (let known = 0; known < wanted.size; ) {
    known = wanted.size;
    for (const name of named(variables((one) => wanted.has(one)))) wanted.add(name);
  }
  return variables((name) => wanted.has(name));
}
