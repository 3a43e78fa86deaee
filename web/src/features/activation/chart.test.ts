import { expect, test } from "vitest";
import { createMachine } from "xstate";
import { chartFor } from "~/shared/flow/chart";
import { activationV1 } from "./activation_v1.chart";

test("the generated chart loads in XState for the whole plan and for none", () => {
  const machine = createMachine(chartFor(activationV1, activationV1.steps));
  expect(Object.keys(machine.states)).toContain("check-firmware/waiting");
  expect(Object.keys(chartFor(activationV1, []).states)).toContain("checking");
});
