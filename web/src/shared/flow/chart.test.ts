import { describe, expect, test } from "vitest";
import { type Chart, chartFor } from "./chart";
import { drifted, mirror } from "./mirror";

const toy = {
  id: "toy_v1",
  initial: "checking",
  steps: ["one", "two", "three"],
  labels: {},
  states: {
    checking: { on: { OK: "ENTRY", FAIL: "refused" } },
    one: { on: { SUBMIT: "NEXT", BACK: "PREVIOUS", RESET: "FIRST" } },
    two: { on: { SUBMIT: "two/busy", BACK: "PREVIOUS" } },
    "two/busy": { on: { OK: "NEXT", FAIL: "two" } },
    three: { on: { SUBMIT: "NEXT", BACK: "PREVIOUS" } },
    completed: { type: "final" },
    refused: { type: "final" },
    "choose-type": { type: "final" },
  },
} as const satisfies Chart;

const at = { rev: 4, seq: 1, allowed: [], plan: ["one", "two", "three"] };

describe("chartFor", () => {
  test("puts states in the place of plan words", () => {
    const { states } = chartFor(toy, ["one", "two", "three"], "two");
    expect(states.checking?.on).toEqual({ OK: "two", FAIL: "refused" });
    expect(states.one?.on).toEqual({ SUBMIT: "two", BACK: "choose-type", RESET: "one" });
    expect(states["two/busy"]?.on).toEqual({ OK: "three", FAIL: "two" });
    expect(states.three?.on).toEqual({ SUBMIT: "completed", BACK: "two" });
  });

  test("drops the steps outside the plan, and what leads over them", () => {
    const { states } = chartFor(toy, ["one", "three"]);
    expect(Object.keys(states)).not.toContain("two");
    expect(Object.keys(states)).not.toContain("two/busy");
    expect(states.one?.on?.SUBMIT).toBe("three");
  });

  test("an entry outside the plan is its first step", () => {
    expect(chartFor(toy, ["one", "three"], "two").states.checking?.on?.OK).toBe("one");
  });
});

describe("the mirror", () => {
  test("stands where the server stands and knows its edges", () => {
    const held = mirror(toy, { ...at, state: "two/busy" });
    expect(held?.snapshot.value).toBe("two/busy");
    expect(held?.snapshot.can({ type: "OK" })).toBe(true);
    expect(held?.snapshot.can({ type: "SUBMIT" })).toBe(false);
  });

  test("a state that the chart lacks has no mirror", () => {
    expect(mirror(toy, { ...at, state: "four" })).toBeUndefined();
  });

  test.each([
    ["one", "two", 1, false],
    ["one", "three", 1, true],
    ["one", "three", 3, false],
    ["two", "one", 1, false],
    ["one", "completed", 11, false],
  ])("from %s to %s in %i moves: drift %s", (from, to, moves, expected) => {
    const held = mirror(toy, { ...at, state: from });
    const next = { ...at, rev: at.rev + moves, state: to };
    expect(held && drifted(held, next)).toBe(expected);
  });
});
