import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { aRunOnScreen } from "~/testing/runs/a-run-on-screen";
import { aLaterActivation } from "~/testing/runs/an-activation";
import { aRow, aTable } from "~/testing/runs/an-option-table";
import { show } from "~/testing/show";
import { TablesEditor } from "./tables-editor";

const choices = [3, 15, 25].map((value) => ({ value, label: `${value} min` }));
const runtime = aRow("runtime", { label: "Run time", kind: "choice", choices });

function shown(suggested?: number) {
  const { run } = aRunOnScreen(aLaterActivation("controller-option-tables"));
  const told = suggested ? [{ key: "runtime", value: suggested, used: 14, finished: 16 }] : [];
  show(
    <TablesEditor
      run={run}
      tables={aTable([runtime], { runtime: 20 })}
      suggestions={told}
      busy={false}
    >
      <p>Intro</p>
    </TablesEditor>,
  );
  return screen.getByLabelText("Run time");
}

test("a value of the device that is not among the choices is shown, and the first can be chosen", async () => {
  const field = shown();
  expect(field).toHaveDisplayValue("20");
  await userEvent.selectOptions(field, "3 min");
  expect(screen.getByText("1 change")).toBeVisible();
});

test("a value that this row does not take is suggested to nobody", () => {
  shown(45);
  expect(screen.queryByText(/used in 14 of 16/)).toBeNull();
});
