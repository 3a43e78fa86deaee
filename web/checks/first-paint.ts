import { readFileSync } from "node:fs";
import { join } from "node:path";
import { generateMessageId } from "@lingui/message-utils/generateMessageId";
import { createElement, Fragment, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { Plugin, Rolldown } from "vite";
import { bars, failed, type Say, SHAPE, shapes } from "./frames.tsx";
import { pagesByLayout, TREE } from "./pages.ts";
import { catalogueOf, LANGUAGES, type Messages } from "./texts.ts";
import { sheetOf } from "./theme-sheet.ts";

type Output = Rolldown.OutputAsset | Rolldown.OutputChunk;

const ANY = ".*";
/** What every page is drawn with, beside the first script. */
const EVERY_PAGE = [/src\/app\/main\.tsx\|texts/, /src\/app\/appearance\.tsx/];
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
        const built = Object.values(bundle ?? {});
        const chosen = [
          ...Object.entries(bars(say)).map(([layout, bar]) =>
            template(
              "bar",
              layout === "_default" ? ANY : patternOf(layouts[layout] ?? []),
              bar,
              fetchedAhead(built, [...EVERY_PAGE, RegExp(`src/routes/${layout}\\.tsx`)]),
            ),
          ),
          ...Object.entries(shapes(say)).map(([path, shape]) => {
            const [layout] =
              Object.entries(layouts).find(([, paths]) => paths.includes(path)) ?? [];
            const route = RegExp(`src/routes/${layout}${path}[./]?(index)?\\.tsx`);
            return template("shape", patternOf([path]), shape, fetchedAhead(built, [route]));
          }),
          template("shape", ANY, SHAPE),
          template("failed", ANY, failed(say)),
        ];
        return settled(page)
          .replace('href="/mark.svg"', `href="${inPage(join(root, "public/mark.svg"))}"`)
          .replace(
            "</title>",
            `</title>${script(own("look.js"))}<style nonce="${NONCE}">${packed(sheetOf(sheet) + typeface + sheet)}</style>`,
          )
          .replace("</body>", () => `${chosen.join("")}${script(own("first-paint.js"))}</body>`);
      },
    },
  };
}

/**
 * Links to the scripts, sheets and texts that some modules are drawn with, so that they are fetched while the first script,
 * which names them, is still on its way. A text is of one language. Raises for a module that the build does not know.
 */
export function fetchedAhead(built: readonly Output[], modules: readonly RegExp[]): string {
  const chunks = new Map(
    built.flatMap((one) => (one.type === "chunk" ? [[one.fileName, one] as const] : [])),
  );
  const found = new Set<Rolldown.OutputChunk>();
  const add = (chunk: Rolldown.OutputChunk | undefined) => {
    if (!chunk || chunk.isEntry || found.has(chunk)) return;
    found.add(chunk);
    for (const name of chunk.imports) add(chunks.get(name));
  };
  for (const module of modules) {
    const named = [...chunks.values()].filter((one) => one.moduleIds.some((id) => module.test(id)));
    if (named.length === 0) throw new Error(`the build has no ${module}`);
    for (const chunk of named) add(chunk);
  }
  const links = [...found].flatMap(({ fileName, moduleIds, viteMetadata }) => {
    const language = /^\0texts:(\w+):/.exec(moduleIds[0] ?? "")?.[1];
    const own = language ? ` lang="${language}"` : "";
    return [
      `<link rel="modulepreload" crossorigin href="/${fileName}"${own}>`,
      ...[...(viteMetadata?.importedCss ?? [])].map(
        (name) => `<link rel="preload" as="style" crossorigin href="/${name}">`,
      ),
    ];
  });
  return links.join("");
}

/**
 * The page whose sheet holds nothing up, and whose script is begun by `first-paint.js` and fetched before anything else: its
 * head names it first, as on a slow line the rest of the page takes as long as a request.
 */
export function settled(page: string): string {
  const script = /\s*<script type="module" crossorigin src=("[^"]+")><\/script>/;
  const [whole = "", address] = script.exec(page) ?? [];
  if (!address) throw new Error("the page has no script");
  return page
    .replace(whole, "")
    .replace("<head>", `<head><link rel="modulepreload" crossorigin href=${address}>`)
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

function template(kind: string, pattern: string, content: ReactNode, links = ""): string {
  return `<template data-${kind}="${pattern}">${links}${renderToStaticMarkup(content)}</template>`;
}

function script(code: string): string {
  return `<script nonce="${NONCE}">${code.replace(/^\s*\/\/.*\n/gm, "").replace(/\n\s*/g, "\n")}</script>`;
}

/** A drawing as an address that asks for nothing. */
function inPage(file: string): string {
  const drawing = readFileSync(file, "utf8").replace(/\s*\n\s*/g, "");
  return `data:image/svg+xml,${drawing.replaceAll('"', "'").replaceAll("#", "%23")}`;
}

function packed(sheet: string): string {
  return sheet.replace(/\/\*[\s\S]*?\*\//g, "").replace(/\s*\n\s*/g, "");
}
