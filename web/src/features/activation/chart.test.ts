import { expect, test } from "vitest";
import { createMachine } from "xstate";
import { chartFor } from "~/shared/flow/chart";
import { CHARTS } from "~/shared/flow/charts.gen";
import { ACTIVATION_EVENTS } from "./flow";
import { STEP_SCREENS } from "./steps/table";
import { COMMAND_WORDS, STEP_WORDS } from "./words";

const charts = Object.values(CHARTS).filter(({ id }) => id.startsWith("activation_"));

test.each(charts)(
  "the generated chart $id loads in XState for the whole plan and for none",
  (chart) => {
    const machine = createMachine(chartFor(chart, chart.steps));
    expect(Object.keys(machine.states)).toContain("verify-connection/waiting");
    expect(Object.keys(chartFor(chart, []).states)).toContain("checking");
  },
);

test.each(charts)("every step and command of $id has a screen and words", (chart) => {
  const commands = Object.entries(chart.commands ?? {});
  for (const step of chart.steps) expect(STEP_SCREENS).toHaveProperty(step);
  const labels = Object.fromEntries(chart.steps.map((step) => [step, STEP_WORDS[step]?.message]));
  expect(labels).toEqual(chart.labels);
  expect(commands.map(([name]) => COMMAND_WORDS[name]?.message)).toEqual(
    commands.map(([, label]) => label),
  );
});

test.each(charts)("whatever a person may do is an event of $id", (chart) => {
  const known = new Set(Object.values(chart.states).flatMap(({ on }) => Object.keys(on ?? {})));
  for (const event of Object.values(ACTIVATION_EVENTS)) if (event) expect(known).toContain(event);
});
