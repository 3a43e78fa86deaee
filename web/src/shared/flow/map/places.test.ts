import { expect, test } from "vitest";
import { aKind, anAnswer, TOY, TOY_PLAN } from "~/testing/runs/a-flow";
import type { Chart } from "../chart";
import { firmwareV2 } from "../charts/firmware_v2.chart";
import { CHARTS } from "../charts.gen";
import { begin } from "../position";
import { LABEL_WORDS } from "./labels";
import { placesOf, placesOfChart, stepsOf, type Taken } from "./places";

const standing = (state: string, presumed?: string) => {
  const kind = aKind();
  const position = begin(kind.chartOf(anAnswer(state)), TOY_PLAN, anAnswer(state));
  if (!position) throw new Error("no such state");
  return { position, state, presumed };
};

const marks = (state: string, presumed?: string, before?: string) => {
  const at = standing(state, presumed);
  return placesOf(stepsOf(at.position), { ...at, before }).map(({ at }) => at);
};

test("what is behind, where it is, what comes", () => {
  expect(marks("two/busy")).toEqual(["done", "here", "ahead"]);
  expect(marks("completed")).toEqual(["done", "done", "done"]);
});

test("where what was sent leads", () => {
  expect(marks("one", "two")).toEqual(["here", "sent", "ahead"]);
});

test("a run that has left the way stays where it left it, and reaches no more of it", () => {
  expect(marks("refused", undefined, "two/busy")).toEqual(["done", "closed", "closed"]);
});

test("the whole map tells what was skipped and why, and what is not part of the run", () => {
  const places = placesOfChart({
    chart: TOY,
    plan: ["one", "three"],
    state: "three",
    taken: [{ event: "SUBMIT", from_state: "one", to_state: "three" }],
    skipped: { one: "was there" },
  });
  const found = Object.fromEntries(places.map(({ step, at, why }) => [step, why ?? at]));
  expect(found).toMatchObject({
    one: "was there",
    two: "outside",
    three: "here",
    completed: "ahead",
    refused: "closed",
  });
  expect(places.find(({ step }) => step === "one")?.edges[0]).toMatchObject({
    event: "SUBMIT",
    to: "three",
    taken: true,
  });
});

test("of several ways to one state the one that was taken is told, by whatever name its record has it", () => {
  const taken = (chart: Chart, plan: string[], move: Taken) =>
    placesOfChart({ chart, plan, state: move.to_state, taken: [move], skipped: {} })
      .flatMap(({ edges }) => edges)
      .filter(({ taken }) => taken)
      .map(({ from, event }) => `${from} ${event}`);
  const overruled = { event: "OVERRULE", from_state: "weak", to_state: "starting" };
  expect(taken(firmwareV2, [], overruled)).toEqual(["weak OVERRULE"]);
  const tapped = { event: "TAP", from_state: "two", to_state: "two/busy" };
  expect(taken(TOY, TOY_PLAN, tapped)).toEqual(["two ACT"]);
  const lost = { event: "LOST", from_state: "two", to_state: "two/busy" };
  expect(taken(TOY, TOY_PLAN, lost)).toEqual([]);
});

test.each(Object.values(CHARTS))("every state of $id has a name in the page's words", (chart) => {
  const labels = Object.values(chart.states).map(({ meta }) => meta.label);
  for (const label of labels) expect(LABEL_WORDS[label]?.message).toBe(label);
});
