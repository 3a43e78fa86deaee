import { readFileSync } from "node:fs";
import { join } from "node:path";
import { generateMessageId } from "@lingui/message-utils/generateMessageId";
import { createElement, Fragment, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { Plugin } from "vite";
import { bars, failed, type Say, SHAPE, shapes } from "./frames.tsx";
import { pagesByLayout, TREE } from "./pages.ts";
import { catalogueOf, LANGUAGES, type Messages } from "./texts.ts";
import { sheetOf } from "./theme-sheet.ts";

const ANY = ".*";
/** The server writes each answer's own (`api/platform/border/frontend.py`). */
const NONCE = "__CSP_NONCE__";

/**
 * Writes into the page what is on the screen before its script: sheet and shapes, from which a few lines choose by the
 * address. The sheet of the portal holds nothing up then (`src/app/styled.ts`), and its script begins after the first picture.
 */
export function firstPaint(): Plugin {
  let root = "";
  return {
    name: "first-paint",
    apply: "build",
    configResolved(config) {
      root = config.root;
    },
    transformIndexHtml: {
      order: "post",
      async handler(page, { bundle }) {
        const own = (name: string) => readFileSync(join(root, "src/app", name), "utf8");
        const font = Object.keys(bundle ?? {}).find((name) => name.endsWith(".woff2"));
        if (!font) throw new Error("the build has no typeface");
        const typeface = own("typeface.css").replace(/url\("[^"]+"\)/, `url("/${font}")`);
        const sheet = own("first-paint.css");
        const say = sayIn(await catalogueOf(root));
        const layouts = pagesByLayout(readFileSync(join(root, TREE), "utf8"));
        const chosen = [
          ...Object.entries(bars(say)).map(([layout, bar]) =>
            template("bar", layout === "_default" ? ANY : patternOf(layouts[layout] ?? []), bar),
          ),
          ...Object.entries(shapes(say)).map(([path, shape]) =>
            template("shape", patternOf([path]), shape),
          ),
          template("shape", ANY, SHAPE),
          template("failed", ANY, failed(say)),
        ];
        return settled(page)
          .replace(
            "</title>",
            `</title>${script(own("look.js"))}<style nonce="${NONCE}">${packed(sheetOf(sheet) + typeface + sheet)}</style>`,
          )
          .replace("</body>", () => `${chosen.join("")}${script(own("first-paint.js"))}</body>`);
      },
    },
  };
}

/** The page whose sheet holds nothing up and whose script is fetched, and begun by `first-paint.js`. */
export function settled(page: string): string {
  return page
    .replace(
      /<script type="module" crossorigin src=/,
      '<link rel="modulepreload" crossorigin href=',
    )
    .replace(/(<link rel="modulepreload"[^>]*>)<\/script>/, "$1")
    .replace(/<link rel="stylesheet"/, '<link rel="stylesheet" media="print"');
}

/** A text in every language; the sheet shows one. Raises for a text that the portal has not. */
export function sayIn(catalogues: Map<string, Messages>): Say {
  return (text) =>
    LANGUAGES.map((language) => {
      const said = catalogues.get(language)?.[generateMessageId(text)];
      if (typeof said !== "string") throw new Error(`no text of the portal: ${text}`);
      return createElement("span", { key: language, lang: language }, linked(said));
    });
}

/** `<0>like this</0>` looks like a link. */
function linked(text: string): ReactNode[] {
  return text
    .split(/<\d>(.*?)<\/\d>/)
    .map((part, place) =>
      place % 2
        ? createElement("a", { key: part }, part)
        : createElement(Fragment, { key: place }, part),
    );
}

/** A pattern for the addresses of routes: `$id` stands for one part, `{-$id}` for one or none. */
export function patternOf(paths: string[]): string {
  return paths
    .map((path) => path.replace(/\/\{-\$\w+\}/g, "(?:/[^/]+)?").replace(/\$\w+/g, "[^/]+"))
    .join("|");
}

function template(kind: string, pattern: string, content: ReactNode): string {
  return `<template data-${kind}="${pattern}">${renderToStaticMarkup(content)}</template>`;
}

function script(code: string): string {
  return `<script nonce="${NONCE}">${code.replace(/^\s*\/\/.*\n/gm, "").replace(/\n\s*/g, "\n")}</script>`;
}

function packed(sheet: string): string {
  return sheet.replace(/\/\*[\s\S]*?\*\//g, "").replace(/\s*\n\s*/g, "");
}
