import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { ChangeDeviceDialog } from "~/features/activation/dialogs/change-device";
import { SerialScreen } from "~/features/activation/start/serial";
import { ReplaceDevice } from "~/features/activation/steps/replace-device/replace-device";
import { Find } from "~/features/devices/find";
import { ProofForm } from "~/features/devices/proof-form";
import { VisitsScreen } from "~/features/devices/visits/list-screen";
import { DevicesSlide } from "~/features/plans/parts/devices-slide";
import { begin } from "~/shared/session/session";
import { aCamera } from "~/testing/a-camera";
import { aPerson } from "~/testing/a-person";
import { aRunOnScreen } from "~/testing/runs/a-run-on-screen";
import { anActivation } from "~/testing/runs/an-activation";
import { showPage } from "~/testing/show";

const SERIAL = "FT-X1-00000043";
const { run } = aRunOnScreen(anActivation("replace-device"));

function signIn() {
  begin(aPerson(), "t");
  vi.spyOn(globalThis, "fetch").mockImplementation(async () =>
    Response.json({ results: [], counts: {}, count: 0, end_cursor: null }),
  );
}

afterEach(() => vi.restoreAllMocks());

const FORMS: [string, ReactNode][] = [
  ["at the beginning of an activation", <SerialScreen key="serial" deviceKey={undefined} />],
  ["for a device that takes over", <ReplaceDevice key="replace" run={run} />],
  ["for another device", <ChangeDeviceDialog key="change" run={run} onClose={() => undefined} />],
  ["where devices are found", <Find key="find" startsWith="" />],
  ["where a visit is asked for", <VisitsScreen key="visits" wanted={{}} />],
];

test.each(FORMS)("%s both numbers are read with the camera", async (_, form) => {
  signIn();
  aCamera(SERIAL, "89302720400012348356");
  await showPage(form);
  await userEvent.click(
    await screen.findByRole("button", { name: "Scan the serial number with the camera" }),
  );
  const serial = () => screen.getByRole("textbox", { name: /^Serial number/ });
  await waitFor(() => expect(serial()).toHaveValue(SERIAL));
  await userEvent.click(
    screen.getByRole("button", { name: "Scan the SIM number with the camera" }),
  );
  await waitFor(() => expect(screen.getByRole("textbox", { name: /ICCID/ })).toHaveValue("48356"));
  expect(serial()).toHaveValue(SERIAL);
});

test("what proves a device of nobody is read with the camera", async () => {
  aCamera("89302720400012348356");
  await showPage(<ProofForm given={undefined} onProof={() => undefined} />);
  await userEvent.click(
    screen.getByRole("button", { name: "Scan the SIM number with the camera" }),
  );
  await waitFor(() => expect(screen.getByRole("textbox", { name: /ICCID/ })).toHaveValue("48356"));
});

test("a device for a plan is chosen with the camera", async () => {
  signIn();
  aCamera(SERIAL);
  const chosen: string[][] = [];
  const choose = (devices: string[]) => chosen.push(devices);
  await showPage(<DevicesSlide devices={["A-1234"]} onChange={choose} onDone={() => undefined} />);
  await userEvent.click(
    screen.getByRole("button", { name: "Scan the serial number with the camera" }),
  );
  await waitFor(() => expect(chosen).toEqual([["A-1234", SERIAL]]));
});

test("Escape leaves the camera, and not the dialog that it was opened from", async () => {
  signIn();
  aCamera();
  await showPage(<ChangeDeviceDialog run={run} onClose={left} />);
  const scan = await screen.findByRole("button", {
    name: "Scan the serial number with the camera",
  });
  await userEvent.click(scan);
  expect(await screen.findByLabelText("Picture of the camera")).toBeInTheDocument();
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByLabelText("Picture of the camera")).toBeNull());
  expect(left).not.toHaveBeenCalled();
  expect(scan).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  expect(left).toHaveBeenCalledOnce();
});

const left = vi.fn();
