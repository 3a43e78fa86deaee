import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";

/** Step → its name. The English is the flow table's own label. */
export const STEP_WORDS: Record<string, MessageDescriptor> = {
  "power-on-device": msg`Power on the device`,
  "set-vehicle-details": msg`Vehicle details`,
  "verify-connection": msg`Verify the connection`,
  "check-firmware": msg`Check the firmware`,
  "device-testing": msg`Test the device`,
  "send-welcome": msg`Welcome the owner`,
  "complete-activation": msg`Complete the activation`,
};

export const TYPE_WORDS: Record<string, { name: MessageDescriptor; what: MessageDescriptor }> = {
  "new-device": {
    name: msg`New device`,
    what: msg`A device that has never been activated goes into a vehicle.`,
  },
  "replace-device": {
    name: msg`Replace a device`,
    what: msg`This device takes over from another one in the same vehicle.`,
  },
  "service-device": {
    name: msg`Service a device`,
    what: msg`An active device is checked, updated and tested.`,
  },
  "verizon-sim": { name: msg`Verizon SIM`, what: msg`The SIM of the device is activated.` },
  "purchase-subscription": {
    name: msg`Purchase a subscription`,
    what: msg`A service plan is bought for the device.`,
  },
};

/** Device-testing command → its name (devices spec 4). */
export const COMMAND_WORDS: Record<string, MessageDescriptor> = {
  location: msg`Verify GPS`,
  arm: msg`Arm`,
  disarm: msg`Disarm`,
  panic_on: msg`Panic on`,
  panic_off: msg`Panic off`,
  remote_start: msg`Remote start`,
  remote_stop: msg`Remote stop`,
  trunk: msg`Trunk`,
  remote_aux1: msg`Aux 1`,
  remote_aux2: msg`Aux 2`,
  erase_device: msg`Reset Device Settings`,
};
