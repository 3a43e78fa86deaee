import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const TEXTS = /\.(css|js|json|svg|txt|webmanifest)$/;

/** A file's bytes under the endings of its codings, where they are fewer. */
export function codings(plain: Buffer): Record<string, Buffer> {
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: plain.length };
  const coded = {
    ".br": brotliCompressSync(plain, { params }),
    ".gz": gzipSync(plain, { level: 9 }),
  };
  return Object.fromEntries(
    Object.entries(coded).filter(([, bytes]) => bytes.length < plain.length * 0.9),
  );
}

/** Writes the codings of each text of the build beside it, for the server to choose from. */
export function compressed(): Plugin {
  let folder = "";
  return {
    name: "compressed",
    apply: "build",
    configResolved({ root, build }) {
      folder = resolve(root, build.outDir);
    },
    closeBundle() {
      for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
        if (!TEXTS.test(name)) continue;
        const file = join(folder, name);
        for (const [ending, bytes] of Object.entries(codings(readFileSync(file))))
          writeFileSync(file + ending, bytes);
      }
    },
  };
}
