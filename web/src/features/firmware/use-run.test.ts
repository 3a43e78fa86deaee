import { expect, test } from "vitest";
import { aFirmwareRun } from "~/testing/a-firmware-run";
import { mirrored } from "./chart";
import { taken } from "./use-run";

const at = (state: string, rev: number, version = 2) => aFirmwareRun(state, { version }, { rev });
const held = (state: string, rev: number, version = 2) => {
  const answer = at(state, rev, version);
  return { answer, mirror: mirrored(answer), drift: 0 };
};

test("the chart of the run's version stands where the server stands", () => {
  expect(mirrored(at("weak", 1))?.snapshot.value).toBe("weak");
  expect(mirrored(at("weak", 1))?.snapshot.can({ type: "OVERRULE" })).toBe(true);
  expect(mirrored(at("weak", 1, 1))).toBeUndefined();
  expect(mirrored(at("download_sent", 1, 1))?.snapshot.can({ type: "DOWNLOADED" })).toBe(true);
});

test("an older snapshot changes nothing", () => {
  const before = held("downloaded", 5);
  expect(taken(before, at("download_sent", 4))).toBe(before);
});

test("a move that the chart knows is no drift, and one that it lacks is", () => {
  expect(taken(held("starting", 1), at("weak", 2)).drift).toBe(0);
  expect(taken(held("starting", 1), at("done", 2)).drift).toBe(1);
  expect(taken(held("starting", 1), at("unheard-of", 2)).drift).toBe(1);
});

test("the same state again, with more progress, is no drift", () => {
  expect(taken(held("download_sent", 2), at("download_sent", 3)).drift).toBe(0);
});
