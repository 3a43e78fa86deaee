import { act, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { Problem } from "~/shared/api/errors";
import { HOLD_MS } from "~/shared/ui/buttons/hold-button";
import { ProblemNote } from "~/shared/ui/notes/note";
import { aRunOnScreen } from "~/testing/runs/a-run-on-screen";
import { aLaterActivation } from "~/testing/runs/an-activation";
import { show } from "~/testing/show";
import type { Run } from "../session-hook";
import type { CommandRow } from "../types";
import { CommandBench } from "./command-bench";

const COMMANDS = ["location", "remote_start", "remote_stop", "panic_off", "erase_device"];

// The words of a refusal are fetched: they are there before the clock stands still.
beforeAll(async () => {
  const { unmount } = show(<ProblemNote problem={new Problem(409, {})} />);
  await screen.findByRole("alert");
  unmount();
});
beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function aRun(changes: Partial<Run> = {}) {
  const answer = aLaterActivation("device-testing", {
    allowed: ["SUBMIT", "ACT", "BACK"],
    view: { commands: COMMANDS },
  });
  const { run, asked } = aRunOnScreen(answer);
  return { run: { ...run, ...changes }, asked };
}

const failing = (command: string, problem: Problem, again?: () => void) =>
  aRun({ problem, failed: { type: "ACT", command }, again, dismiss: vi.fn() });

function aRow(command: string, state: CommandRow["state"]): CommandRow {
  return {
    id: `c-${command}`,
    command,
    label: command,
    state,
    requested_at: "2026-11-21T10:00:00Z",
    settled_at: state === "sent" ? null : "2026-11-21T10:00:09Z",
  } as CommandRow;
}

const heldButton = (name: string) =>
  screen.getByRole("button", { name: `${name} (hold to confirm)` });

function hold(name: string) {
  fireEvent.pointerDown(heldButton(name), { button: 0 });
  act(() => vi.advanceTimersByTime(HOLD_MS + 10));
}

test("what stops a car is tapped, what moves it is held", () => {
  const { run, asked } = aRun();
  show(<CommandBench run={run} rows={[]} />);
  fireEvent.click(screen.getByRole("button", { name: "Remote stop" }));
  fireEvent.click(screen.getByRole("button", { name: "Panic off" }));
  fireEvent.click(heldButton("Remote start"), { detail: 1 });
  expect(asked).toEqual([
    { type: "ACT", command: "remote_stop" },
    { type: "ACT", command: "panic_off" },
  ]);
  hold("Remote start");
  expect(asked).toContainEqual({ type: "ACT", command: "remote_start" });
});

test("one that is pressed keeps the focus while it is sent, and sends nothing twice", () => {
  const { run, asked } = aRun({ can: () => false });
  show(<CommandBench run={run} rows={[]} />);
  const button = screen.getByRole("button", { name: "Remote stop" });
  button.focus();
  fireEvent.click(button);
  expect(button).toHaveFocus();
  expect(button).toHaveAttribute("aria-disabled", "true");
  expect(asked).toEqual([]);
});

test("erasing stands apart from the others, after them", () => {
  const { run } = aRun();
  show(<CommandBench run={run} rows={[]} />);
  const buttons = screen.getAllByRole("button");
  const erase = heldButton("Reset Device Settings");
  expect(buttons.at(-1)).toBe(erase);
  const group = (button: HTMLElement) => button.parentElement?.parentElement;
  expect(buttons.filter((one) => group(one) === group(erase))).toEqual([erase]);
});

test.each([
  ["sent", "Sent"],
  ["confirmed", "✓ Confirmed"],
  ["timed_out", "✕ Timed out"],
] as const)("its button says that a command is %s", (state, words) => {
  const { run } = aRun();
  show(<CommandBench run={run} rows={[aRow("location", state)]} />);
  const cell = screen.getByRole("button", { name: "Verify GPS" }).parentElement;
  expect(cell).toHaveTextContent(words);
});

test("the seconds since it was sent run under its button until it is settled", () => {
  vi.setSystemTime("2026-11-21T10:00:07Z");
  const { run } = aRun();
  const { rerender } = show(<CommandBench run={run} rows={[aRow("location", "sent")]} />);
  const cell = screen.getByRole("button", { name: "Verify GPS" }).parentElement;
  expect(cell).toHaveTextContent("0:07");
  rerender(<CommandBench run={run} rows={[aRow("location", "confirmed")]} />);
  expect(cell).not.toHaveTextContent("0:07");
});

test("a test that fails while it is waited for is told beside its button, focused and named", () => {
  const { run } = aRun();
  const { rerender } = show(<CommandBench run={run} rows={[aRow("remote_start", "sent")]} />);
  rerender(<CommandBench run={run} rows={[aRow("remote_start", "timed_out")]} />);
  const told = screen.getByRole("group", { name: "Remote start: Timed out" });
  expect(told).toHaveFocus();
  expect(heldButton("Remote start").parentElement).toContainElement(told);
});

test("one that failed before takes no focus", () => {
  const { run } = aRun();
  show(<CommandBench run={run} rows={[aRow("remote_start", "timed_out")]} />);
  expect(screen.getByRole("group", { name: "Remote start: Timed out" })).not.toHaveFocus();
});

test.each([
  ["too many tries", new Problem(429, { code: "too_many_requests" })],
  ["a gateway", new Problem(502, {})],
  ["a lost network", new Problem(500, { code: "unreachable" })],
])("after %s what moves a car is never sent by a tap, but held again", (_, problem) => {
  const again = vi.fn();
  const { run, asked } = failing("remote_start", problem, again);
  show(<CommandBench run={run} rows={[]} />);
  const note = screen.getByRole("alert", { name: "Failed: Remote start" });
  expect(note).toHaveFocus();
  expect(heldButton("Remote start").parentElement).toContainElement(note);
  expect(note).toHaveTextContent("Hold the button again.");
  expect(within(note).queryByRole("button")).toBeNull();
  hold("Remote start");
  expect(again).toHaveBeenCalledTimes(1); // the same one, under its key
  expect(asked).toEqual([]);
});

test("what stops a car is sent again by a tap", () => {
  const again = vi.fn();
  const { run } = failing("remote_stop", new Problem(502, {}), again);
  show(<CommandBench run={run} rows={[]} />);
  const note = screen.getByRole("alert", { name: "Failed: Remote stop" });
  fireEvent.click(within(note).getByRole("button", { name: "Try again" }));
  expect(again).toHaveBeenCalledTimes(1);
});

test("a refused command is put away, not tried again", () => {
  const { run, asked } = failing(
    "remote_start",
    new Problem(409, { code: "service_mode_required" }),
  );
  show(<CommandBench run={run} rows={[]} />);
  const note = screen.getByRole("alert", { name: "Failed: Remote start" });
  expect(note).toHaveTextContent("The owner of the vehicle switches it on in the app");
  expect(within(note).queryByRole("button", { name: "Try again" })).toBeNull();
  fireEvent.click(within(note).getByRole("button", { name: "Close" }));
  expect(run.dismiss).toHaveBeenCalledTimes(1);
  hold("Remote start");
  expect(asked).toEqual([{ type: "ACT", command: "remote_start" }]);
});
