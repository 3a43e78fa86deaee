import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** What is sent and neither told at the top of the page nor shown beside its button. */
function unsaid(source: string): boolean {
  return /\buseSend(?:<[^(]*>)?\(\)/.test(source) && !/\bproblem\b/.test(source);
}

test("a press whose refusal is shown nowhere is found", () => {
  expect(unsaid("const { busy, send } = useSend();")).toBe(true);
  expect(unsaid("const { busy, send } = useSend<Saved>();")).toBe(true);
  expect(unsaid("const { busy, send } = useSend({ alert: true });")).toBe(false);
  expect(unsaid("const { problem, send } = useSend();")).toBe(false);
});

/** The sources that say it, without the tests and what they share. */
function saying(words: RegExp): string[] {
  return globSync("src/**/*.{ts,tsx}")
    .filter((file) => !/^src\/testing\/|\.(test|gen)\.tsx?$/.test(file))
    .filter((file) => words.test(readFileSync(file, "utf8")))
    .sort();
}

test("a screen sends by useSend alone", () => {
  expect(saying(/\buseMutation\b/)).toEqual(["src/shared/api/send.ts"]);
});

/** What is watched besides `storeOf`, and why it is no store of that make. */
const WATCHED: Record<string, string> = {
  "src/app/appearance.tsx": "the browser's own choice of light and dark",
  "src/features/activation/waiting/outbox.ts": "kept in the browser's storage: a `signal`",
  "src/shared/live/live.ts": "the one connection of the page",
  "src/shared/store.ts": "the make of all others",
  "src/shared/stored-list.ts": "kept in the browser's storage: a `signal`",
  "src/shared/time/age.tsx": "the clock",
  "src/shared/ui/fields/preferences.tsx": "the browser's own choice of light and dark",
  "src/shared/ui/notes/offline-bar.tsx": "whether the browser has a network",
};

test("stores are of one make", () => {
  expect(saying(/\buseSyncExternalStore\(/)).toEqual(Object.keys(WATCHED));
});

test("what a run allows is asked of its chart as well", () => {
  expect(saying(/\ballowed\.includes\(/)).toEqual([
    "src/shared/firmware/flow.ts", // of a run that another one shows
    "src/shared/flow/actor.ts",
  ]);
  expect(saying(/\bcan_(retry|cancel|defer|overrule)\b/)).toEqual([]);
});

test("every press that ends in a refusal says so", () => {
  const sources = globSync("src/**/*.{ts,tsx}").filter((file) => !file.includes(".test."));
  const silent = sources.filter((file) => unsaid(readFileSync(file, "utf8")));
  expect(silent).toEqual([]);
});
