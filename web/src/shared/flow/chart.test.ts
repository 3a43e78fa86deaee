import { describe, expect, test } from "vitest";
import { TOY } from "~/testing/runs/a-flow";
import { chartFor } from "./chart";

describe("chartFor", () => {
  test("puts states in the place of plan words", () => {
    const { states } = chartFor(TOY, ["one", "two", "three"], "two");
    expect(states.checking?.on).toEqual({ OK: "two", FAIL: "refused" });
    expect(states.one?.on).toEqual({ SUBMIT: "two", BACK: "choose-type", RESET: "one" });
    expect(states["two/busy"]?.on).toEqual({ OK: "three", FAIL: "two" });
    expect(states.three?.on).toEqual({ SUBMIT: "completed", BACK: "two" });
  });

  test("drops the steps outside the plan, and what leads over them", () => {
    const { states } = chartFor(TOY, ["one", "three"]);
    expect(Object.keys(states)).not.toContain("two");
    expect(Object.keys(states)).not.toContain("two/busy");
    expect(states.one?.on?.SUBMIT).toBe("three");
  });

  test("an entry outside the plan is its first step", () => {
    expect(chartFor(TOY, ["one", "three"], "two").states.checking?.on?.OK).toBe("one");
  });

  test("keeps tags and meta", () => {
    const { states } = chartFor(TOY, ["one", "two"]);
    expect(states["two/busy"]).toMatchObject({ tags: ["busy"], meta: { step: "two" } });
    expect(states.completed).toMatchObject({ type: "final", tags: ["ended"] });
  });
});
