import { expect, test } from "vitest";
import { wasmIn } from "./no-wasm";

const FILES: Record<string, string> = {
  "assets/plain-1.js": "const a=`wasm`;",
  "assets/module-2.wasm": "",
  "assets/module-3.wasm.br": "",
  "assets/asks-4.js": "WebAssembly.instantiate(b)",
  "assets/fetches-5.js": "fetch(`/assets/read.wasm?v=1`)",
  "assets/sheet-6.css": ".wasm{}",
  "index.html": "<script>new WebAssembly.Module(b)</script>",
};

test("a module of WebAssembly is found, and so is a script that asks for one", () => {
  expect(wasmIn(Object.keys(FILES), (name) => FILES[name] ?? "")).toEqual([
    "assets/module-2.wasm",
    "assets/module-3.wasm.br",
    "assets/asks-4.js",
    "assets/fetches-5.js",
    "index.html",
  ]);
});
