import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { DeviceFound } from "../types";

/** Why a type that the server does not offer cannot be had: it hangs on where the device stands (rulings). */
export function whyNot(
  found: Pick<DeviceFound, "device_state" | "service_mode">,
): MessageDescriptor {
  if (found.device_state === "paused") {
    return found.service_mode
      ? msg`The device is paused and in service mode: it can only be replaced.`
      : msg`The device is paused. It can be replaced in service mode, which the owner of the vehicle switches on in the app, among the settings of the vehicle.`;
  }
  if (found.device_state === "new") return msg`Only for a device that has been activated.`;
  return msg`This device has been activated already.`;
}
