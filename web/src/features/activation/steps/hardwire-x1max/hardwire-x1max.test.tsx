import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { aRunOnScreen } from "~/testing/a-run-on-screen";
import { aLaterActivation } from "~/testing/an-activation";
import { show } from "~/testing/show";
import { HardwireX1max } from "./hardwire-x1max";

test("hardwired lines are saved together", async () => {
  const { run, asked } = aRunOnScreen(aLaterActivation("hardwire-x1max"));
  show(<HardwireX1max run={run} />);
  await userEvent.selectOptions(screen.getByLabelText("Output"), "Starter Kill");
  await userEvent.selectOptions(screen.getByLabelText("Input"), "High/Low");
  await userEvent.click(screen.getByRole("button", { name: "Save the lines" }));
  expect(asked).toEqual([{ type: "SUBMIT", data: { output: "Starter Kill", input: "High/Low" } }]);
});

test("lines that were taken back before they were written are filled in again", () => {
  localStorage.clear();
  const kept = { step: "hardwire-x1max", output: "Trunk", input: "High" } as const;
  const { run } = aRunOnScreen(aLaterActivation("hardwire-x1max", { view: { kept } }));
  show(<HardwireX1max run={run} />);
  expect(screen.getByLabelText("Output")).toHaveValue("Trunk");
  expect(screen.getByLabelText("Input")).toHaveValue("High");
});
