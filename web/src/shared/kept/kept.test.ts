import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { someCaches } from "~/testing/some-caches";
import { CACHE, forgetKept } from "./forget";
import { allKept, keep, MOST_KEPT } from "./kept";

const entry = (number: number, title = `Vehicle ${number}`) => ({
  id: `vehicle:${number}`,
  kind: "vehicle" as const,
  title,
  at: new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString(),
  text: [],
  sections: [],
});

beforeEach(() => vi.stubGlobal("caches", someCaches()));
afterEach(() => vi.unstubAllGlobals());

test("the newest come first, and beyond twenty the oldest goes", async () => {
  for (let number = 0; number < MOST_KEPT + 2; number++) await keep(entry(number));
  const kept = await allKept();
  expect(kept).toHaveLength(20);
  expect(kept[0]?.title).toBe("Vehicle 21");
  expect(kept.at(-1)?.title).toBe("Vehicle 2");
});

test("what is opened again takes its own place", async () => {
  await keep(entry(1));
  await keep({ ...entry(2, "Vehicle 1, newer"), id: "vehicle:1" });
  expect((await allKept()).map(({ title }) => title)).toEqual(["Vehicle 1, newer"]);
});

test("what is none of ours is passed over, and all is forgotten at once", async () => {
  await keep(entry(1));
  await (await caches.open(CACHE)).put("/kept/other", Response.json({ id: 7 }));
  await (await caches.open(CACHE)).put("/kept/broken", new Response("{"));
  expect(await allKept()).toHaveLength(1);
  await forgetKept();
  expect(await allKept()).toEqual([]);
});
