import { readFileSync } from "node:fs";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { patternOf, sayIn, settled } from "./first-paint.ts";
import { bars, failed, shapes } from "./frames.tsx";
import { pagesByLayout, TREE } from "./pages.ts";
import { catalogueOf } from "./texts.ts";
import { sheetOf } from "./theme-sheet.ts";

const tree = readFileSync(TREE, "utf8");

test("neither sheet nor script holds the first picture up", () => {
  const page = settled(
    `<script type="module" crossorigin src="/assets/a.js"></script><link rel="stylesheet" crossorigin href="/assets/a.css">`,
  );
  expect(page).toBe(
    `<link rel="modulepreload" crossorigin href="/assets/a.js"><link rel="stylesheet" media="print" crossorigin href="/assets/a.css">`,
  );
});

test("each layout of the routes has its bar, and each shape is that of a page", () => {
  const layouts = pagesByLayout(tree);
  expect(Object.keys(bars(() => null)).sort()).toEqual(Object.keys(layouts).sort());
  expect(layouts._plain).toContain("/login");
  expect(layouts._task).toContain("/devices/$key/firmware");
  const pages = Object.values(layouts).flat();
  const drawn = Object.keys(shapes(() => null));
  for (const path of drawn) expect(pages).toContain(path);
  expect(drawn).toEqual(expect.arrayContaining(["/login", "/activation", "/search"]));
});

test("the addresses of a route are known", () => {
  const known = new RegExp(`^(?:${patternOf(["/devices/$key", "/order/{-$id}"])})$`);
  for (const path of ["/devices/FT-1", "/order", "/order/7"]) expect(path).toMatch(known);
  for (const path of ["/devices", "/order/7/8"]) expect(path).not.toMatch(known);
});

test("words are the portal's own, in both languages", async () => {
  const say = sayIn(await catalogueOf(process.cwd()));
  const said = renderToStaticMarkup(createElement("p", null, say("Log in")));
  expect(said).toBe('<p><span lang="en">Log in</span><span lang="fr">Se connecter</span></p>');
  expect(() => say("Nobody says this")).toThrow("no text of the portal");
});

test("a script that cannot be had is told, with a link to the same address", () => {
  const told = renderToStaticMarkup(failed((text) => text));
  expect(told).toContain('role="alert"');
  expect(told).toContain('<a class="first-press" href="">Try again</a>');
});

test("a sheet brings the variables that it names, in both looks", () => {
  const sheet = sheetOf("a { color: var(--ink); }");
  expect(sheet.match(/--ink:/g)).toHaveLength(2);
  expect(sheet).not.toContain("--canvas");
});
