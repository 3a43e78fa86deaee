import { cleanup, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { aRunOnScreen } from "~/testing/runs/a-run-on-screen";
import { aKeptForm, aLaterActivation } from "~/testing/runs/an-activation";
import { aRow, aTable } from "~/testing/runs/an-option-table";
import { show } from "~/testing/show";
import type { FlowAnswer } from "../types";
import { TablesEditor } from "./tables-editor";

const STEP = "controller-option-tables";
const runtime = aRow("runtime", { label: "Run time", kind: "minutes", minimum: 3, maximum: 45 });
const pulse = aRow("pulse", { label: "Lock pulse", kind: "seconds", minimum: 1, maximum: 99 });
const keypad = aRow("keypad", { label: "Keypad", minimum: 1, maximum: 7, advanced: true });
const tables = aTable([runtime, pulse, keypad], { runtime: 15, pulse: 5, keypad: 1 });

function shown(answer = aLaterActivation(STEP), busy = false) {
  const { run, asked } = aRunOnScreen(answer);
  show(
    <TablesEditor run={run} tables={tables} busy={busy}>
      <p>Intro</p>
    </TablesEditor>,
  );
  return asked;
}

test("shows the difference first, and writes only what was changed", async () => {
  const asked = shown();
  const field = screen.getByLabelText("Run time");
  await userEvent.clear(field);
  await userEvent.type(field, "25");
  expect(screen.getByText("1 change")).toBeVisible();
  expect(screen.getByText(/Changed from 15 min/)).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Review 1 change" }));
  expect(asked).toEqual([]);
  const dialog = await screen.findByRole("dialog", { name: "Write 1 change to the device?" });
  expect(
    within(dialog).getByRole("row", { name: "Remote start, Run time 15 min 25 min" }),
  ).toBeVisible();
  await userEvent.click(within(dialog).getByRole("button", { name: "Write to the device" }));
  expect(asked).toEqual([{ type: "SUBMIT", data: { changes: { runtime: 25 }, digest: "d1" } }]);
});

test("what others used is told with its count, and taken by a click alone", async () => {
  const { run, asked } = aRunOnScreen(aLaterActivation(STEP));
  const told = [{ key: "runtime", value: 25, used: 14, finished: 16 }];
  show(
    <TablesEditor run={run} tables={tables} suggestions={told} busy={false}>
      <p>Intro</p>
    </TablesEditor>,
  );
  expect(screen.getByText(/used in 14 of 16/)).toHaveTextContent("25 min: used in 14 of 16");
  expect(screen.getByText("Nothing changed")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Use it for Remote start, Run time" }));
  expect(screen.getByLabelText("Run time")).toHaveValue("25");
  expect(screen.queryByText(/used in 14 of 16/)).toBeNull();
  expect(asked).toEqual([]);
});

test("goes on at once when nothing was changed", async () => {
  const asked = shown();
  await userEvent.click(screen.getByRole("button", { name: "Go on without changes" }));
  expect(asked).toEqual([{ type: "SUBMIT", data: { changes: {}, digest: "d1" } }]);
});

test("a value outside its bounds is told a second later, and is never sent", async () => {
  const asked = shown();
  const field = screen.getByLabelText("Run time");
  await userEvent.clear(field);
  await userEvent.type(field, "46");
  expect(screen.queryByText("Must be at most 45")).toBeNull();
  expect(await screen.findByText("Must be at most 45", {}, { timeout: 3000 })).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Review 1 change" }));
  expect(field).toHaveFocus();
  expect(screen.getByRole("alert")).toHaveTextContent(
    "1 value is not right yet: Remote start, Run time",
  );
  expect(asked).toEqual([]);
});

test("undo takes a change back", async () => {
  shown();
  await userEvent.type(screen.getByLabelText("Lock pulse"), "0");
  await userEvent.click(
    screen.getByRole("button", { name: "Undo the change of Remote start, Lock pulse" }),
  );
  expect(screen.getByLabelText("Lock pulse")).toHaveValue("5");
  expect(screen.getByText("Nothing changed")).toBeVisible();
});

test("what was typed and not written is there again", async () => {
  shown();
  await userEvent.type(screen.getByLabelText("Lock pulse"), "0");
  cleanup();
  shown();
  expect(screen.getByLabelText("Lock pulse")).toHaveValue("50");
});

test("what was sent, waited for the device and was taken back is filled in again, for whoever goes on", async () => {
  localStorage.clear();
  const kept = { step: STEP, changes: { runtime: 25 }, digest: "d0" } as const;
  const asked = shown(aLaterActivation(STEP, { view: { kept } }));
  expect(screen.getByLabelText("Run time")).toHaveValue("25");
  await userEvent.click(screen.getByRole("button", { name: "Review 1 change" }));
  await userEvent.click(await screen.findByRole("button", { name: "Write to the device" }));
  expect(asked).toEqual([{ type: "SUBMIT", data: { changes: { runtime: 25 }, digest: "d1" } }]);
});

const TABLE_STEPS = [STEP, "keylocker-option-tables", "keylocker-poc-pic"] as const;

function at(answer: FlowAnswer) {
  return (
    <TablesEditor run={aRunOnScreen(answer).run} tables={tables} busy={false}>
      <p>Intro</p>
    </TablesEditor>
  );
}

test.each(TABLE_STEPS)(
  "what somebody else sent and took back takes the place of what was typed before, at %s",
  async (step) => {
    const first = { step, changes: { runtime: 25 }, digest: "d0" } as const;
    const second = { step, changes: { runtime: 30, pulse: 9 }, digest: "d0" } as const;
    const page = show(at(aLaterActivation(step)));
    await userEvent.type(screen.getByLabelText("Lock pulse"), "0");
    page.rerender(at(aKeptForm(first)));
    expect(screen.getByLabelText("Run time")).toHaveValue("25");
    expect(screen.getByLabelText("Lock pulse")).toHaveValue("5");
    page.rerender(at(aLaterActivation(step, { view: { kept: first } })));
    expect(screen.getByLabelText("Run time")).toHaveValue("25");
    page.rerender(at(aLaterActivation(`${step}/busy`)));
    page.rerender(at(aKeptForm(second)));
    expect(screen.getByLabelText("Run time")).toHaveValue("30");
    expect(screen.getByLabelText("Lock pulse")).toHaveValue("9");
    cleanup();
    show(at(aLaterActivation(step)));
    expect(screen.getByText("Nothing changed")).toBeVisible();
  },
);

test("what was typed upon a form that was taken back stays, in whatever order its rows are told", async () => {
  const kept = { step: STEP, changes: { runtime: 25, pulse: 9 }, digest: "d0" } as const;
  shown(aLaterActivation(STEP, { view: { kept } }));
  await userEvent.type(screen.getByLabelText("Lock pulse"), "0");
  cleanup();
  const again = { ...kept, changes: { pulse: 9, runtime: 25 } };
  shown(aLaterActivation(STEP, { view: { kept: again } }));
  expect(screen.getByLabelText("Run time")).toHaveValue("25");
  expect(screen.getByLabelText("Lock pulse")).toHaveValue("90");
});

test("what was taken back and sent again stays where it is not written", async () => {
  const kept = { step: STEP, changes: { runtime: 25 }, digest: "d0" } as const;
  const page = show(at(aLaterActivation(STEP, { view: { kept } })));
  await userEvent.click(screen.getByRole("button", { name: "Review 1 change" }));
  await userEvent.click(await screen.findByRole("button", { name: "Write to the device" }));
  page.rerender(at(aLaterActivation(`${STEP}/busy`)));
  page.rerender(at(aLaterActivation(STEP)));
  expect(screen.getByLabelText("Run time")).toHaveValue("25");
});

test("advanced rows stand in the advanced flow only", () => {
  shown();
  expect(screen.queryByLabelText("Keypad")).toBeNull();
  expect(screen.getByText("1 more option stands in the advanced flow.")).toBeVisible();
  cleanup();
  shown(aLaterActivation(STEP, { view: { is_advanced_flow: true } }));
  expect(screen.getByLabelText("Keypad")).toBeVisible();
});

test("search and only what was changed narrow the rows", async () => {
  shown();
  await userEvent.type(screen.getByLabelText("Find an option"), "pulse");
  expect(screen.queryByLabelText("Run time")).toBeNull();
  await userEvent.click(screen.getByLabelText("Only what was changed"));
  expect(screen.getByText("Nothing that was changed matches.")).toBeVisible();
});

test("says how often the device was asked for its special rows", () => {
  shown(aLaterActivation(`${STEP}/busy`, { facts: { requeries: 1 } }), true);
  expect(screen.getByText(/Try 1 of 2/)).toBeVisible();
  expect(screen.getByLabelText("Run time")).toBeDisabled();
});

test("a form that waits for the device asks it for nothing yet", () => {
  const kept = { step: STEP, changes: { runtime: 25 }, digest: "d0" } as const;
  const view = { kept, held: true, flow_version: 3 };
  shown(aLaterActivation(`${STEP}/waiting`, { facts: { requeries: 1 }, view }), true);
  expect(screen.getByLabelText("Run time")).toBeDisabled();
  expect(screen.queryByText(/Special rows/)).toBeNull();
});

test("a fault that the network names stands at its row until the row is changed", async () => {
  localStorage.setItem(
    "activation_state",
    JSON.stringify({ id: "a1", drafts: { [STEP]: { pulse: "9" } } }),
  );
  const fields = [{ field: "pulse", message: "Must be at most 8" }];
  shown(
    aLaterActivation(STEP, { view: { error: { code: "invalid_options", detail: "No", fields } } }),
  );
  expect(screen.getByText("Must be at most 8")).toBeVisible();
  await userEvent.type(screen.getByLabelText("Lock pulse"), "0");
  expect(screen.queryByText("Must be at most 8")).toBeNull();
});
