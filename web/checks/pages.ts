import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

/** Where the router's plugin writes its tree, from the root of the front end. */
export const TREE = "src/app/routeTree.gen.ts";

/** The patterns of all addresses of the router's tree, as it writes them: `/devices/$key`, `/order/{-$id}`. */
export function pagesOf(tree: string): string[] {
  const union = /fullPaths:\n((?: +\| '[^']+'\n)+)/.exec(tree)?.[1];
  if (!union) throw new Error("routeTree.gen.ts names no fullPaths");
  return [...union.matchAll(/'([^']+)'/g)].map(([, path = ""]) => path);
}

/** The same by the frame that stands round a page, which is the folder of its route: `_plain`. */
export function pagesByLayout(tree: string): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const [, layout = "", path = ""] of tree.matchAll(/^ {2}'\/(_\w+)(\/[^']*)': typeof/gm)) {
    found[layout] ??= [];
    found[layout].push(path.replace(/(.)\/$/, "$1"));
  }
  return found;
}

/** Writes them beside the page, so that the server answers 404 for an address that no page has. */
export function pages(): Plugin {
  let root = "";
  return {
    name: "pages",
    apply: "build",
    configResolved(config) {
      root = config.root;
    },
    generateBundle() {
      const source = JSON.stringify(pagesOf(readFileSync(join(root, TREE), "utf8")));
      this.emitFile({ type: "asset", fileName: "pages.json", source });
    },
  };
}
