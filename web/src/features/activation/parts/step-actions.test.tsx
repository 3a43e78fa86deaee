import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { Problem } from "~/shared/api/errors";
import { aRunOnScreen } from "~/testing/runs/a-run-on-screen";
import { aLaterActivation } from "~/testing/runs/an-activation";
import { showPage } from "~/testing/show";
import { KeptHere } from "../waiting/kept-here";
import { type Kept, keep } from "../waiting/outbox";
import { StepActions } from "./step-actions";
import { StepNotices } from "./step-notices";

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

test("what waits for a signal is said in the words of its form", async () => {
  keep({
    key: "key-2",
    at: { id: "a1", seq: 3, view: { step: "keylocker-mode" } },
    device: "FT-X1-00000042",
    action: { type: "SUBMIT", data: { mode: "standalone" } },
    reach: "device",
    kept: "2026-08-03T12:00:00Z",
  });
  await showPage(<KeptHere id="a1" />);
  expect(await screen.findByRole("status")).toHaveTextContent(
    "KeyLocker mode: ready to send to the device. Standalone",
  );
});

test("what no longer fits says why in the reader's words, with what was entered", async () => {
  keep({
    key: "key-4",
    at: { id: "a1", seq: 3, view: { step: "keylocker-mode" } },
    device: "FT-X1-00000042",
    action: { type: "SUBMIT", data: { mode: "standalone" } },
    reach: "device",
    kept: "2026-08-03T12:00:00Z",
    refused: { code: "step_out_of_order", detail: "As the server said it." },
  });
  await showPage(<KeptHere id="a1" />);
  const note = await screen.findByRole("alert");
  expect(note).toHaveTextContent(/^KeyLocker mode: what you entered .* no longer fits\./);
  expect(note).toHaveTextContent("This activation stands at another step.");
  expect(note).toHaveTextContent("Standalone");
  await userEvent.click(screen.getByRole("button", { name: "Dismiss" }));
  expect(screen.queryByRole("alert")).toBeNull();
});

test("what waits is thrown away in two presses, and stays for whoever turns away after one", async () => {
  keep({
    key: "key-3",
    at: { id: "a1", seq: 3, view: { step: "keylocker-mode" } },
    device: "FT-X1-00000042",
    action: { type: "SUBMIT", data: { mode: "standalone" } },
    reach: "device",
    kept: "2026-08-03T12:00:00Z",
  });
  await showPage(<KeptHere id="a1" />);
  await userEvent.click(await screen.findByRole("button", { name: "Do not send" }));
  expect(screen.getByRole("status")).toBeVisible();
  await userEvent.tab({ shift: true });
  await userEvent.click(screen.getByRole("button", { name: "Do not send" }));
  await userEvent.click(screen.getByRole("button", { name: "Yes, throw away: KeyLocker mode" }));
  expect(screen.queryByRole("status")).toBeNull();
});

test("a form that waits for its device is taken back by its button", async () => {
  const answer = aLaterActivation("keylocker-mode/waiting", {
    allowed: ["BACK", "ABANDON"],
    view: { held: true, kept: { step: "keylocker-mode", mode: "add-on" } },
  });
  const { run, asked } = aRunOnScreen({ ...answer, version: 3 });
  await showPage(
    <>
      <StepNotices run={run} />
      <StepActions run={run} label="Set the mode" onSubmit={vi.fn()} />
    </>,
  );
  expect(await screen.findByText(/or change it before it is written/)).toBeVisible();
  expect(screen.getByRole("button", { name: "Kept" })).toBeDisabled();
  const change = await screen.findByRole("button", { name: "Change it" });
  change.focus();
  await userEvent.keyboard("{Enter}");
  expect(asked).toEqual([{ type: "BACK" }]);
  expect(screen.getByRole("button", { name: "Kept" })).toBeDisabled();
});

test("what holds nothing to change is taken back, and the notice says so", async () => {
  const answer = aLaterActivation("reset-keylocker-pairing/waiting", {
    allowed: ["BACK", "ABANDON"],
    view: { held: true, kept: null },
  });
  const { run, asked } = aRunOnScreen({ ...answer, version: 3 });
  await showPage(
    <>
      <StepNotices run={run} />
      <StepActions run={run} label="Reset the pairing" onSubmit={vi.fn()} />
    </>,
  );
  expect(await screen.findByText(/or take it back before it is sent/)).toBeVisible();
  expect(screen.getByRole("button", { name: "Kept" })).toBeDisabled();
  expect(screen.queryByText(/change it/i)).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Take it back" }));
  expect(asked).toEqual([{ type: "BACK" }]);
});

test("what is being written cannot be changed any more", async () => {
  const answer = aLaterActivation("keylocker-mode/busy", { allowed: [] });
  const { run } = aRunOnScreen({ ...answer, version: 3 });
  await showPage(<StepActions run={run} label="Set the mode" onSubmit={vi.fn()} />);
  expect(await screen.findByRole("button", { name: "In progress…" })).toBeDisabled();
  expect(screen.queryByRole("button", { name: "Change it" })).toBeNull();
});

test("a form that could not be sent says so beside its button, named and focused", async () => {
  const { run } = aRunOnScreen(aLaterActivation("device-testing", { allowed: ["SUBMIT"] }));
  const again = vi.fn();
  const failing = { problem: new Problem(502, {}), failed: { type: "SUBMIT", data: {} } as const };
  await showPage(<StepActions run={{ ...run, ...failing, again }} label="Go on" />);
  const note = await screen.findByRole("alert", { name: "Failed: Test the device" });
  expect(note).toHaveFocus();
  expect(screen.getByRole("button", { name: "Go on" }).parentElement).toContainElement(note);
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(again).toHaveBeenCalledTimes(1);
});

test("a refused form is put away", async () => {
  const { run } = aRunOnScreen(aLaterActivation("device-testing", { allowed: ["SUBMIT"] }));
  const failing = { problem: new Problem(409, {}), failed: { type: "SUBMIT", data: {} } as const };
  const dismiss = vi.fn();
  await showPage(<StepActions run={{ ...run, ...failing, dismiss }} label="Go on" />);
  await userEvent.click(await screen.findByRole("button", { name: "Close" }));
  expect(dismiss).toHaveBeenCalledTimes(1);
});
