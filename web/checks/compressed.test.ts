import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { codings } from "./compressed";

test("both codings give the bytes back", () => {
  const plain = Buffer.from("a line of a script;\n".repeat(200));
  const { ".br": br, ".gz": gz } = codings(plain);
  expect(br && brotliDecompressSync(br).equals(plain)).toBe(true);
  expect(gz && gunzipSync(gz).equals(plain)).toBe(true);
});

test("what gets no smaller has none", () => {
  expect(codings(Buffer.from("x"))).toEqual({});
});
