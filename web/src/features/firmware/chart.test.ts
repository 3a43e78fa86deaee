import { expect, test } from "vitest";
import type { FirmwareAnswer } from "~/shared/firmware/types";
import * as walk from "~/shared/flow/walk";
import { aFirmwareRun } from "~/testing/a-firmware-run";
import { chartOf } from "./chart";

const at = (state: string, rev: number, version = 2) => aFirmwareRun(state, { version }, { rev });
const held = (state: string, rev: number) => walk.held(at(state, rev), chartOf);
const taken = (before: walk.Held<FirmwareAnswer>, answer: FirmwareAnswer) =>
  walk.taken(before, answer, chartOf);
const mirrored = (answer: FirmwareAnswer) => walk.mirrored(answer, chartOf);

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
