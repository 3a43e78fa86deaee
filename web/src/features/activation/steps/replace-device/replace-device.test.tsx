import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { aRunOnScreen } from "~/testing/runs/a-run-on-screen";
import { aLaterActivation } from "~/testing/runs/an-activation";
import { show } from "~/testing/show";
import { ReplaceDevice } from "./replace-device";

test("a device is not replaced by itself, and the SIM digits stay in no draft", async () => {
  const { run, asked } = aRunOnScreen(aLaterActivation("replace-device"));
  show(<ReplaceDevice run={run} />);
  const serial = screen.getByLabelText("Serial number of the new device");
  await userEvent.type(serial, "ft-x1-00000042");
  await userEvent.click(screen.getByRole("button", { name: "Replace the device" }));
  expect(await screen.findByText("This is the device that is to be replaced")).toBeVisible();
  await userEvent.clear(serial);
  await userEvent.type(serial, "ft-x1-00054321");
  await userEvent.type(screen.getByLabelText(/Last 5 digits/), "54321");
  await userEvent.click(screen.getByRole("button", { name: "Replace the device" }));
  expect(asked).toEqual([
    {
      type: "SUBMIT",
      data: { new_device_key: "FT-X1-00054321", iccid_last_digits: "54321" },
    },
  ]);
  expect(localStorage.getItem("activation_state")).toContain("FT-X1-00054321");
  expect(localStorage.getItem("activation_state")).not.toContain('"54321"');
});

test("whoever comes back after the change goes on with the new device, and may name another one", async () => {
  const after = aLaterActivation("replace-device");
  const { run, asked } = aRunOnScreen({
    ...after,
    view: {
      ...after.view,
      device: { ...after.view.device, device_key: "FT-X1-00054321" },
      facts: {
        ...after.view.facts,
        replaced: {
          old_device_key: "FT-X1-00000042",
          new_device_key: "FT-X1-00054321",
          verified: false,
        },
      },
    },
  });
  show(<ReplaceDevice run={run} />);
  expect(screen.getByText(/has taken over from/)).toHaveTextContent(
    "FT-X1-00054321 has taken over from FT-X1-00000042 already.",
  );
  const serial = screen.getByLabelText("Serial number of the new device");
  expect(serial).toHaveValue("FT-X1-00054321");
  await userEvent.click(screen.getByRole("button", { name: "Continue" }));
  expect(asked).toEqual([
    { type: "SUBMIT", data: { new_device_key: "FT-X1-00054321", iccid_last_digits: undefined } },
  ]);
  await userEvent.clear(serial);
  await userEvent.type(serial, "ft-x1-00000042");
  await userEvent.click(screen.getByRole("button", { name: "Replace the device" }));
  expect(await screen.findByText("This is the device that is to be replaced")).toBeVisible();
});
