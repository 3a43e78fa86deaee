import { readFileSync } from "node:fs";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { fetchedAhead, patternOf, sayIn, settled } from "./first-paint.ts";
import { bars, failed, shapes } from "./frames.tsx";
import { pagesByLayout, TREE } from "./pages.ts";
import { catalogueOf } from "./texts.ts";
import { sheetOf } from "./theme-sheet.ts";

const tree = readFileSync(TREE, "utf8");

test("neither sheet nor script holds the first picture up, and the script is named before anything else", () => {
  const page = settled(
    `<head><title>A</title><script type="module" crossorigin src="/assets/a.js"></script><link rel="stylesheet" crossorigin href="/assets/a.css"></head>`,
  );
  expect(page).toBe(
    `<head><link rel="modulepreload" crossorigin href="/assets/a.js"><title>A</title><link rel="stylesheet" media="print" crossorigin href="/assets/a.css"></head>`,
  );
  expect(() => settled("<head></head>")).toThrow("no script");
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

test("what a page is drawn with is named in it: scripts, their sheets, and texts of each language", () => {
  const chunk = (fileName: string, moduleIds: string[], imports: string[], sheet?: string) => ({
    ...{ type: "chunk", fileName, moduleIds, imports, isEntry: fileName === "index.js" },
    viteMetadata: { importedCss: new Set(sheet ? [sheet] : []) },
  });
  const built = [
    chunk("index.js", ["/web/src/main.tsx", "/web/src/routes/_plain.tsx"], []),
    chunk("frame.js", ["/web/src/plain.tsx", "/web/src/routes/_plain.tsx?part"], ["shared.js"]),
    chunk("frame-fr.js", ["\0texts:fr:src/routes/_plain.tsx|texts"], []),
    chunk("shared.js", ["/web/src/shared.tsx"], ["index.js"], "shared.css"),
    chunk("other.js", ["/web/src/routes/_plain/login.tsx?part"], ["shared.js"]),
  ] as unknown as Parameters<typeof fetchedAhead>[0];
  expect(fetchedAhead(built, [/routes\/_plain\.tsx/])).toBe(
    '<link rel="modulepreload" crossorigin href="/frame.js">' +
      '<link rel="modulepreload" crossorigin href="/shared.js">' +
      '<link rel="preload" as="style" crossorigin href="/shared.css">' +
      '<link rel="modulepreload" crossorigin href="/frame-fr.js" lang="fr">',
  );
  expect(() => fetchedAhead(built, [/routes\/_gone/])).toThrow("the build has no");
});
