import { cleanup, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { aRunOnScreen } from "~/testing/runs/a-run-on-screen";
import { aKeptForm, aLaterActivation } from "~/testing/runs/an-activation";
import { show } from "~/testing/show";
import type { FlowAnswer } from "../../types";
import { KeylockerMode } from "./keylocker-mode";

test("the KeyLocker's mode has to be chosen when it reports none", async () => {
  const { run, asked } = aRunOnScreen(aLaterActivation("keylocker-mode"));
  show(<KeylockerMode run={run} />);
  expect(screen.getByText("The KeyLocker has not reported yet.")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Set the mode" }));
  expect(screen.getByRole("alert")).toHaveTextContent("Required field");
  await userEvent.click(screen.getByRole("radio", { name: /Standalone/ }));
  await userEvent.click(screen.getByRole("button", { name: "Set the mode" }));
  expect(asked).toEqual([{ type: "SUBMIT", data: { mode: "standalone" } }]);
});

test("the KeyLocker's status is shown, with a dash for what it did not send", () => {
  const keylocker = {
    key_present: true,
    mode: "add-on" as const,
    roof_locked: false,
    roof_open: null,
    version: "2.0.1",
  };
  const { run } = aRunOnScreen(aLaterActivation("keylocker-mode", { facts: { keylocker } }));
  show(<KeylockerMode run={run} />);
  const status = screen.getByRole("region", { name: "KeyLocker status" });
  expect(status).toHaveTextContent(
    "KeyLocker statusModeAdd-onKey presentYesRoof lockedNoRoof open–Version2.0.1",
  );
  expect(screen.getByRole("radio", { name: /Add-on/ })).toBeChecked();
});

const STEP = "keylocker-mode";
const STANDALONE = { step: STEP, mode: "standalone" } as const;
const ADD_ON = { step: STEP, mode: "add-on" } as const;
const facts = { keylocker_mode: "add-on" } as const;

function at(answer: FlowAnswer) {
  return <KeylockerMode run={aRunOnScreen(answer).run} />;
}

function card(name: RegExp) {
  return screen.getByRole("radio", { name });
}

test("a mode that was taken back before it was written is chosen still", () => {
  show(at(aLaterActivation(STEP, { facts, view: { kept: STANDALONE } })));
  expect(card(/Standalone/)).toBeChecked();
});

test("a mode that somebody else sent and took back takes the place of what was chosen before", async () => {
  const page = show(at(aLaterActivation(STEP)));
  await userEvent.click(card(/Add-on/));
  page.rerender(at(aKeptForm(STANDALONE)));
  expect(card(/Standalone/)).toBeChecked();
  page.rerender(at(aLaterActivation(STEP, { view: { kept: STANDALONE } })));
  expect(card(/Standalone/)).toBeChecked();
  page.rerender(at(aLaterActivation(`${STEP}/busy`)));
  page.rerender(at(aKeptForm(ADD_ON)));
  expect(card(/Add-on/)).toBeChecked();
  cleanup();
  show(at(aLaterActivation(STEP)));
  expect(card(/Add-on/)).not.toBeChecked();
});

test("a mode chosen upon one that was taken back stays", async () => {
  show(at(aLaterActivation(STEP, { view: { kept: STANDALONE } })));
  await userEvent.click(card(/Add-on/));
  cleanup();
  show(at(aLaterActivation(STEP, { view: { kept: STANDALONE } })));
  expect(card(/Add-on/)).toBeChecked();
});

test("a mode that was taken back and sent again stays where it is not written", async () => {
  const page = show(at(aLaterActivation(STEP, { facts, view: { kept: STANDALONE } })));
  await userEvent.click(screen.getByRole("button", { name: "Set the mode" }));
  page.rerender(at(aLaterActivation(`${STEP}/busy`, { facts })));
  expect(card(/Standalone/)).toBeChecked();
  page.rerender(at(aLaterActivation(STEP, { facts })));
  expect(card(/Standalone/)).toBeChecked();
});
