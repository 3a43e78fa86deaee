import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type ReactNode, useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { visited } from "~/shared/navigation/back";
import { begin, end } from "~/shared/session/session";
import { TaskBarSlot } from "~/shared/ui/screens/task-bar";
import { aPerson } from "~/testing/a-person";
import { anActivation } from "~/testing/runs/an-activation";
import { showPage } from "~/testing/show";
import { DeviceScreen } from "../screen";
import type { FlowAnswer } from "../types";

const AT = "/activation/device?id=a1";

function Bar({ children }: { children: ReactNode }) {
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  return (
    <TaskBarSlot value={slot}>
      <div ref={setSlot} />
      {children}
    </TaskBarSlot>
  );
}

/** The page of a run that is answered so, opened from the list of devices unless by its address alone. */
async function opened(
  answer: FlowAnswer | number,
  { step, from }: { step?: string; from?: string },
) {
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.url.includes("/v1/events")) return new Promise<Response>(() => undefined);
    if (!request.url.endsWith("/v1/activations/a1")) return Response.json({}, { status: 404 });
    return typeof answer === "number"
      ? Response.json({ status: answer }, { status: answer })
      : Response.json(answer);
  });
  const page = (
    <Bar>
      <DeviceScreen id="a1" step={step} />
    </Bar>
  );
  const { history } = await showPage(page, from ?? AT);
  if (from) {
    visited({ pathname: from, search: {}, state: { __TSR_index: 0 } });
    history.push(AT);
  }
  return history;
}

const back = async () =>
  userEvent.click(await screen.findByRole("button", { name: "Back" }, { timeout: 5000 }));

beforeEach(() => begin(aPerson(), "t"));
afterEach(() => vi.unstubAllGlobals());

const ended = () => {
  const answer = anActivation("completed", { allowed: [] });
  return { ...answer, view: { ...answer.view, outcome: "completed" as const } };
};

test.each([
  ["the end of a run", ended(), "Activation complete"],
  ["an activation that is not there", 404, "We could not find this activation"],
  ["the door of a guest", 401, "Log in to go on"],
])("from %s Back leads to the page that was left", async (_, answer, name) => {
  if (answer === 401) end();
  const history = await opened(answer, { from: "/devices" });
  await screen.findByRole("heading", { name });
  await back();
  await waitFor(() => expect(history.location.href).toBe("/devices"));
});

test("where no page was left it leads to the serial number", async () => {
  const history = await opened(404, {});
  await back();
  await waitFor(() => expect(history.location.href).toBe("/activation"));
});

test("from a step that is looked at Back leads to the present one", async () => {
  const history = await opened(anActivation("verify-connection"), { step: "power-on-device" });
  await screen.findByRole("heading", { name: "Power on the device" });
  await back();
  await waitFor(() =>
    expect(history.location.href).toBe("/activation/device?id=a1&step=verify-connection"),
  );
});
