import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

const TREE = new URL("../src/app/routeTree.gen.ts", import.meta.url);

/** The patterns of all addresses of the router's tree, as it writes them: `/devices/$key`, `/order/{-$id}`. */
export function pagesOf(tree: string): string[] {
  const union = /fullPaths:\n((?: +\| '[^']+'\n)+)/.exec(tree)?.[1];
  if (!union) throw new Error("routeTree.gen.ts names no fullPaths");
  return [...union.matchAll(/'([^']+)'/g)].map(([, path = ""]) => path);
}

/** Writes them beside the page, so that the server answers 404 for an address that no page has. */
export function pages(): Plugin {
  return {
    name: "pages",
    apply: "build",
    generateBundle() {
      const source = JSON.stringify(pagesOf(readFileSync(TREE, "utf8")));
      this.emitFile({ type: "asset", fileName: "pages.json", source });
    },
  };
}
