import { screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { aRunOnScreen } from "~/testing/a-run-on-screen";
import { aLaterActivation } from "~/testing/an-activation";
import { showPage } from "~/testing/show";
import { type Kept, keep } from "../outbox";
import { StepActions } from "./step-actions";

beforeEach(() => localStorage.clear());

/** The step's one button, while a form of it is kept. */
async function buttonWith(refused?: Kept["refused"]) {
  const answer = aLaterActivation("device-testing", { allowed: ["SUBMIT", "SKIP", "BACK"] });
  const { run } = aRunOnScreen(answer);
  const { id, seq, view } = answer;
  keep({
    key: "key-1",
    at: { id, seq, view: { step: view.step } },
    device: view.device.device_key,
    action: { type: "SUBMIT", data: {} },
    reach: "record",
    kept: "2026-08-03T12:00:00Z",
    refused,
  });
  await showPage(<StepActions run={run} label="Go on" onSubmit={vi.fn()} />);
  return screen.findByRole("button", { name: /Go on|Kept/ });
}

test("a step whose form waits for a signal takes no second one", async () => {
  const button = await buttonWith();
  expect(button).toHaveTextContent("Kept");
  expect(button).toBeDisabled();
});

test("a step whose kept form was refused can be sent anew", async () => {
  const button = await buttonWith({ code: "step_mismatch", detail: "It no longer fits." });
  expect(button).toHaveTextContent("Go on");
  expect(button).toBeEnabled();
});
