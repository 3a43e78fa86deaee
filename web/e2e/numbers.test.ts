import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { counter } from "./numbers";

test("ten thousand numbers that four processes draw are all different", () => {
  const folder = mkdtempSync(join(tmpdir(), "numbers-"));
  const processes = [1, 2, 3, 4].map(() => counter(folder));
  const drawn = Array.from({ length: 2_500 }, () => processes.map((draw) => draw())).flat();
  rmSync(folder, { recursive: true });
  expect(new Set(drawn).size).toBe(10_000);
  expect(Math.max(...drawn)).toBeLessThan(10_080);
});

test("a process that begins anew does not begin at the first number again", () => {
  const folder = mkdtempSync(join(tmpdir(), "numbers-"));
  const before = counter(folder)();
  expect(counter(folder)()).not.toBe(before);
  rmSync(folder, { recursive: true });
});
