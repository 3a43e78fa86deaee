import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { aRunOnScreen } from "~/testing/runs/a-run-on-screen";
import { anActivation } from "~/testing/runs/an-activation";
import { show } from "~/testing/show";
import type { FlowAnswer } from "../types";
import { Progress, StepList } from "./progress";

/** At the test of the device, without its firmware having been looked at. */
const TESTING = withSkipped(anActivation("device-testing"), {
  "check-firmware": "No signal in the garage",
});

function withSkipped(answer: FlowAnswer, skipped: FlowAnswer["view"]["skipped"]): FlowAnswer {
  return { ...answer, view: { ...answer.view, skipped } };
}

/** Each step as it reads, with whether it is behind, here or ahead. */
function steps(): [string | null, string | null][] {
  const list = screen.getByRole("list", { name: "Steps" });
  return within(list)
    .getAllByRole("listitem")
    .map((step) => [step.getAttribute("data-state"), step.textContent]);
}

test("the map has what is done, what was skipped and why, where one is, and what comes", () => {
  show(<StepList run={aRunOnScreen(TESTING).run} shown="device-testing" />);
  expect(steps()).toEqual([
    ["done", "Power on the device(done)"],
    ["done", "Vehicle details(done)"],
    ["done", "Verify the connection(done)"],
    ["done", "Check the firmwareSkipped: No signal in the garage"],
    ["present", "5Test the device"],
    ["ahead", "6Welcome the owner"],
    ["ahead", "7Complete the activation"],
  ]);
  const [here] = screen.getAllByRole("listitem", { current: "step" });
  expect(here).toHaveTextContent("Test the device");
});

test("what was sent and is not confirmed is told where it leads", () => {
  const { run } = aRunOnScreen(TESTING);
  show(<StepList run={{ ...run, presumed: "send-welcome" }} shown="device-testing" />);
  expect(steps().filter(([, words]) => words?.includes("(sent)"))).toEqual([
    ["ahead", "6Welcome the owner(sent)"],
  ]);
});

test("an earlier step that is looked at again is marked, and the run stays where it is", () => {
  show(<Progress run={aRunOnScreen(TESTING).run} shown="verify-connection" />);
  const list = screen.getByRole("list", { name: "Steps" });
  const shown = within(list)
    .getAllByRole("listitem")
    .filter((step) => step.getAttribute("data-shown") === "true");
  expect(shown.map((step) => step.textContent)).toEqual(["Verify the connection(done)"]);
  expect(screen.getByRole("listitem", { current: "step" })).toHaveTextContent("Test the device");
  expect(screen.getByText(/by Ann Lee/)).toBeVisible();
});

test("a page that is older than the run draws no map that may be wrong", () => {
  show(<StepList run={{ ...aRunOnScreen(TESTING).run, position: undefined }} shown="" />);
  expect(screen.getByRole("list", { name: "Steps" })).toBeEmptyDOMElement();
});
