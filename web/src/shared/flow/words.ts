import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { Schemas } from "~/shared/api/client";

/** Step → its name. The English is the flow table's own label. */
export const STEP_WORDS: Record<string, MessageDescriptor> = {
  "replace-device": msg`Replace device`,
  "power-on-device": msg`Power on the device`,
  "set-vehicle-details": msg`Vehicle details`,
  "verify-connection": msg`Verify the connection`,
  "check-firmware": msg`Check the firmware`,
  "reset-keylocker-pairing": msg`Reset the KeyLocker pairing`,
  "controller-option-tables": msg`Controller options`,
  "keylocker-mode": msg`KeyLocker mode`,
  "keylocker-option-tables": msg`KeyLocker options`,
  "keylocker-poc-pic": msg`KeyLocker inputs and outputs`,
  "keylocker-pin-codes": msg`KeyLocker pin codes`,
  "system-settings": msg`System settings`,
  "device-configuration": msg`Device configuration`,
  "hardwire-x1max": msg`Hardwired inputs and outputs`,
  "device-testing": msg`Test the device`,
  "purchase-plan": msg`Choose a plan`,
  "device-rewards": msg`Rewards`,
  "send-welcome": msg`Welcome the owner`,
  "complete-activation": msg`Complete the activation`,
};

/** Whom an open run waits for. */
export const TURN_WORDS: Record<Schemas["WaitsFor"], MessageDescriptor> = {
  person: msg`a person`,
  device: msg`the device`,
  clock: msg`its time`,
  portal: msg`the portal`,
};
