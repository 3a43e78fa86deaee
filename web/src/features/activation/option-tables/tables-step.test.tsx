import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { begin, end } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { aRunOnScreen } from "~/testing/runs/a-run-on-screen";
import { aLaterActivation } from "~/testing/runs/an-activation";
import { aRow, aTable } from "~/testing/runs/an-option-table";
import { show } from "~/testing/show";
import { TablesStep } from "./tables-step";

const CAMRY = { year: 2022, make_id: 448, make: "Toyota", model_id: 2469, model: "Camry" };
const runtime = aRow("runtime", { label: "Run time", kind: "minutes", minimum: 3, maximum: 45 });

/** What was asked of a server that knows one table, and what others used. */
function aServer(): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    asked.push(pathname + search);
    return Response.json(
      pathname.endsWith("/option-suggestions")
        ? [{ key: "runtime", value: 25, used: 14, finished: 16 }]
        : aTable([runtime], { runtime: 15 }),
    );
  });
  return asked;
}

function shown(vehicle: typeof CAMRY | null) {
  const answer = aLaterActivation("controller-option-tables", { facts: { vehicle } });
  show(
    <TablesStep run={aRunOnScreen(answer).run} table="controller">
      <p>Intro</p>
    </TablesStep>,
  );
}

beforeEach(() => begin(aPerson(), "token"));
afterEach(() => vi.unstubAllGlobals());

test("what others used in the same vehicle is asked for, told, and taken by a click", async () => {
  const asked = aServer();
  shown(CAMRY);
  expect(await screen.findByText(/used in 14 of 16/)).toHaveTextContent("25 min: used in 14 of 16");
  expect(asked).toContain("/v1/activations/a1/option-suggestions?table=controller");
  await userEvent.click(screen.getByRole("button", { name: "Use it for Remote start, Run time" }));
  expect(screen.getByLabelText("Run time")).toHaveValue("25");
});

test("a table that the device cannot tell holds nobody up: the step is left without changes", async () => {
  vi.stubGlobal("fetch", async () =>
    Response.json(
      { code: "no_keylocker", detail: "The device has no KeyLocker." },
      { status: 409 },
    ),
  );
  const { run, asked } = aRunOnScreen(aLaterActivation("keylocker-option-tables"));
  show(
    <TablesStep run={run} table="keylocker">
      <p>Intro</p>
    </TablesStep>,
  );
  expect(await screen.findByText("The device has no KeyLocker.")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Go on without changes" }));
  expect(asked).toEqual([{ type: "SUBMIT", data: { changes: {}, digest: "" } }]);
});

test.each([
  ["a guest", CAMRY, end],
  ["a run without a vehicle", null, () => undefined],
])("%s is told nothing of others", async (_, vehicle, before) => {
  before();
  const asked = aServer();
  shown(vehicle);
  await screen.findByLabelText("Run time");
  expect(asked).toEqual(["/v1/activations/a1/option-tables?table=controller"]);
});
