import { expect, test } from "vitest";
import type { DeviceFound } from "../types";
import { whyNot } from "./type-refusals";

test.each<[DeviceFound["device_state"], boolean, string]>([
  ["new", false, "Only for a device that has been activated."],
  ["activated", false, "This device has been activated already."],
  ["installed", true, "This device has been activated already."],
  ["paused", true, "The device is paused and in service mode: it can only be replaced."],
  [
    "paused",
    false,
    "The device is paused. It can be replaced in service mode, which the owner of the vehicle switches on in the app, among the settings of the vehicle.",
  ],
])("a device that is %s (service mode %s): %s", (device_state, service_mode, words) => {
  expect(whyNot({ device_state, service_mode }).message).toBe(words);
});
