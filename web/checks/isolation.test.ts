import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** What of a test outlasts its file, which shares its modules with all others: modules replaced, or made anew. */
function outlasting(source: string): string[] {
  const calls = /\b(?:vi|vitest)\.((?:un|do|doUn)?mock|resetModules)\b/gi;
  return [...source.matchAll(calls)].map(([, call = ""]) => call);
}

test("a replaced module is found, a function that is watched is not", () => {
  expect(outlasting('vi.mock("~/shared/api/client");')).toEqual(["mock"]);
  expect(outlasting('vi.mock<typeof Live>(import("./live"), () => ({}));')).toEqual(["mock"]);
  expect(outlasting('vi.doMock("./live"); vi.unmock("./a"); vi.doUnmock("./a");')).toEqual([
    "doMock",
    "unmock",
    "doUnmock",
  ]);
  expect(outlasting("vi.resetModules();")).toEqual(["resetModules"]);
  expect(outlasting("vi.mocked(fetch); vi.fn(); vi.spyOn(live, 'follow');")).toEqual([]);
});

test("no file replaces a module: all share one set of them", () => {
  const tests = globSync("{src,checks,e2e,screens}/**/*.{ts,tsx}").filter(
    (file) => file !== "checks/isolation.test.ts",
  );
  const found = tests.flatMap((file) =>
    outlasting(readFileSync(file, "utf8")).map((call) => `${file}: ${call}`),
  );
  expect(found).toEqual([]);
});
