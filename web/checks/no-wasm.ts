import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Plugin } from "vite";

const SCRIPTS = /\.(js|html)$/;

/** The files of a build that are WebAssembly, or speak of it: the policy of scripts runs none. */
export function wasmIn(names: readonly string[], read: (name: string) => string): string[] {
  return names.filter(
    (name) =>
      /\.wasm(\.|$)/.test(name) ||
      (SCRIPTS.test(name) && /\bWebAssembly\b|\.wasm\b/.test(read(name))),
  );
}

/** Ends a build that would need what the portal's pages may not do. */
export function noWasm(): Plugin {
  let folder = "";
  return {
    name: "no-wasm",
    apply: "build",
    configResolved({ root, build }) {
      folder = resolve(root, build.outDir);
    },
    closeBundle() {
      const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
      const found = wasmIn(names, (name) => readFileSync(join(folder, name), "utf8"));
      if (found.length > 0) this.error(`WebAssembly in what was built: ${found.join(", ")}`);
    },
  };
}
