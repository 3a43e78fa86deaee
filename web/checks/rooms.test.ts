import { globSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";

/** As on the server (`tests/dev/house/test_layout_rules.py`): what a folder holds is seen at a glance. */
const MOST_MODULES = 13;

/** Tests stand beside their modules; the router names its files by their addresses, and others are written for us. */
const NOT_COUNTED = /\.test\.tsx?$|\.gen\.ts$|^src\/(routes|shared\/flow\/charts)\//;

/** The folders that hold more modules than one should, with how many. */
function crowded(files: readonly string[]): [folder: string, modules: number][] {
  const folders = new Map<string, number>();
  for (const file of files.filter((one) => !NOT_COUNTED.test(one)))
    folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + 1);
  return [...folders].filter(([, modules]) => modules > MOST_MODULES);
}

test("no folder is crowded", () => {
  const files = globSync("src/**/*.{ts,tsx}");
  expect(files.length).toBeGreaterThan(900);
  expect(crowded(files)).toEqual([]);
});

test("a folder is crowded by its own modules, not by its tests or its rooms", () => {
  const modules = (folder: string, ending = ".tsx") =>
    Array.from({ length: MOST_MODULES }, (_, place) => `${folder}/part-${place}${ending}`);
  const full = [...modules("src/shared/ui"), ...modules("src/shared/ui/lists")];
  expect(crowded([...full, ...modules("src/shared/ui", ".test.tsx")])).toEqual([]);
  expect(crowded([...full, "src/shared/ui/one-more.tsx"])).toEqual([["src/shared/ui", 14]]);
  expect(crowded([...modules("src/routes/_default"), "src/routes/_default/team.tsx"])).toEqual([]);
});
