import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { show } from "~/testing/show";
import { Facts } from "./facts";
import type { DeviceRecord } from "./queries";

const DEVICE: NonNullable<DeviceRecord["device"]> = {
  device_key: "FT-X1-00000042",
  product_name: "ft-x1",
  device_state: "installed",
  service_mode: false,
  iccid_last_digits: null,
  plan: null,
  controller_model: "Controller",
  controller: null,
  firmware_version: "1.4.2",
  keylocker: null,
  is_keylocker_present: false,
  owner_dealer_id: null,
  vehicle: null,
};

test.each([
  ["Controller", null, "–"],
  ["Controller", "CM7300", "CM7300"],
  ["CMX", "CMX", "CMX"],
  ["CM7300 II", "CM7300", "CM7300 II, CM7300"],
])("of a controller %s (%s) is told %s", (controller_model, controller, words) => {
  show(<Facts device={{ ...DEVICE, controller_model, controller }} isPlanSuspended={false} />);
  expect(screen.getByText("Controller").nextElementSibling).toHaveTextContent(words);
});

test("a plan that is suspended is told so", () => {
  show(<Facts device={{ ...DEVICE, plan: "basic_prepaid" }} isPlanSuspended />);
  expect(screen.getByText(/^basic_prepaid/)).toHaveTextContent("suspended until it is paid");
});
