import { onlineManager } from "@tanstack/react-query";
import { cleanup, renderHook, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useAlerts } from "~/shared/alerts/alerts";
import { begin, end } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { aLaterActivation, anActivation } from "~/testing/runs/an-activation";
import { showPage } from "~/testing/show";
import { RunScreen } from "./run-screen";
import { type Kept, keep, kept } from "./waiting/outbox";

beforeEach(() => {
  localStorage.clear();
  begin(aPerson(), "t");
});
afterEach(() => {
  cleanup();
  onlineManager.setOnline(true);
  end();
  vi.restoreAllMocks();
  Reflect.deleteProperty(navigator, "wakeLock");
});

/** Entered without a signal, to be written to the device. */
const A_FORM: Kept = {
  key: "key-1",
  at: { id: "a1", seq: 3, view: { step: "controller-option-tables" } },
  device: "FT-X1-00000042",
  action: { type: "SUBMIT", data: { changes: { "1-01": 2 }, digest: "d" } },
  reach: "device",
  kept: "2026-08-03T12:00:00Z",
};

test("the screen is kept on during a run", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(() => new Promise(() => undefined));
  const request = vi.fn(async () => ({ release: async () => undefined }));
  Object.assign(navigator, { wakeLock: { request } });
  await showPage(<RunScreen answer={anActivation("power-on-device")} step={undefined} />);
  await screen.findByRole("heading", { name: "Power on the device" });
  expect(request.mock.calls).toEqual([["screen"]]);
});

test("what was kept for a run that others have ended is shown at its end, and put away", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(() => new Promise(() => undefined));
  keep(A_FORM);
  await showPage(<RunScreen answer={anActivation("abandoned")} step={undefined} />);
  await screen.findByRole("heading", { name: "This activation was abandoned" });
  const note = await screen.findByRole("alert");
  expect(note).toHaveTextContent(/what you entered .* no longer fits\./);
  expect(note).toHaveTextContent("This activation has ended.");
  expect(note).toHaveTextContent("1-01 = 2");
  await userEvent.click(screen.getByRole("button", { name: "Dismiss" }));
  expect(kept()).toEqual([]);
});

test("a guest is told once that what was kept went with the run", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(() => new Promise(() => undefined));
  end();
  keep(A_FORM);
  const told = renderHook(useAlerts).result;
  await showPage(<RunScreen answer={anActivation("abandoned")} step={undefined} />);
  await screen.findByRole("heading", { name: "This activation was abandoned" });
  await waitFor(() => expect(told.current).toHaveLength(1));
  expect(told.current).toMatchObject([{ type: "info", autoDismiss: false }]);
  expect(told.current[0]?.content).toEqual([
    expect.objectContaining({ message: expect.stringMatching(/was not sent, and is gone\.$/) }),
  ]);
  expect(kept()).toEqual([]);
});

test("without a signal and without room to keep it a form says that it was not sent", async () => {
  vi.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("Failed to fetch"));
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  onlineManager.setOnline(false);
  const answer = aLaterActivation("device-testing", { allowed: ["SUBMIT", "BACK"] });
  await showPage(<RunScreen answer={answer} step={undefined} />);
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("", "QuotaExceededError");
  });
  await userEvent.click(
    await screen.findByRole("button", { name: "Keep until there is a signal" }),
  );
  expect(await screen.findByRole("alert")).toHaveTextContent("We could not reach Turnkey.");
  expect(kept()).toEqual([]);
});
