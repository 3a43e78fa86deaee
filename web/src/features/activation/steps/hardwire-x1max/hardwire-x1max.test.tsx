import { cleanup, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { aRunOnScreen } from "~/testing/runs/a-run-on-screen";
import { aKeptForm, aLaterActivation } from "~/testing/runs/an-activation";
import { show } from "~/testing/show";
import type { FlowAnswer } from "../../types";
import { HardwireX1max } from "./hardwire-x1max";

test("hardwired lines are saved together", async () => {
  const { run, asked } = aRunOnScreen(aLaterActivation("hardwire-x1max"));
  show(<HardwireX1max run={run} />);
  await userEvent.selectOptions(screen.getByLabelText("Output"), "Starter Kill");
  await userEvent.selectOptions(screen.getByLabelText("Input"), "High/Low");
  await userEvent.click(screen.getByRole("button", { name: "Save the lines" }));
  expect(asked).toEqual([{ type: "SUBMIT", data: { output: "Starter Kill", input: "High/Low" } }]);
});

const STEP = "hardwire-x1max";
const TRUNK = { step: STEP, output: "Trunk", input: "High" } as const;
const UNLOCK = { step: STEP, output: "Unlock", input: "Low" } as const;

function at(answer: FlowAnswer) {
  return <HardwireX1max run={aRunOnScreen(answer).run} />;
}

function expectLines(output: string, input: string) {
  expect(screen.getByLabelText("Output")).toHaveValue(output);
  expect(screen.getByLabelText("Input")).toHaveValue(input);
}

test("lines that were taken back before they were written are filled in again", () => {
  show(at(aLaterActivation(STEP, { view: { kept: TRUNK } })));
  expectLines("Trunk", "High");
});

test("lines that somebody else sent and took back take the place of what was chosen before", async () => {
  const page = show(at(aLaterActivation(STEP)));
  await userEvent.selectOptions(screen.getByLabelText("Output"), "Panic");
  page.rerender(at(aKeptForm(TRUNK)));
  expectLines("Trunk", "High");
  page.rerender(at(aLaterActivation(STEP, { view: { kept: TRUNK } })));
  expectLines("Trunk", "High");
  page.rerender(at(aLaterActivation(`${STEP}/busy`)));
  page.rerender(at(aKeptForm(UNLOCK)));
  expectLines("Unlock", "Low");
  cleanup();
  show(at(aLaterActivation(STEP)));
  expectLines("None", "None");
});

test("lines chosen before others were kept are forgotten, those chosen upon them are not", async () => {
  show(at(aLaterActivation(STEP)));
  await userEvent.selectOptions(screen.getByLabelText("Output"), "Panic");
  cleanup();
  show(at(aLaterActivation(STEP, { view: { kept: TRUNK } })));
  expectLines("Trunk", "High");
  await userEvent.selectOptions(screen.getByLabelText("Output"), "Unlock");
  cleanup();
  show(at(aLaterActivation(STEP, { view: { kept: TRUNK } })));
  expectLines("Unlock", "High");
});

test("lines that were taken back and sent again stay where they are not written", async () => {
  const page = show(at(aLaterActivation(STEP, { view: { kept: TRUNK } })));
  await userEvent.click(screen.getByRole("button", { name: "Save the lines" }));
  page.rerender(at(aLaterActivation(`${STEP}/busy`)));
  expectLines("Trunk", "High");
  page.rerender(at(aLaterActivation(STEP)));
  expectLines("Trunk", "High");
});
