import type { ComponentType } from "react";
import type { Run } from "../session-hook";
import { CheckFirmware } from "./check-firmware";
import { CompleteActivation } from "./complete-activation";
import { DeviceTesting } from "./device-testing";
import { PowerOnDevice } from "./power-on-device";
import { SendWelcome } from "./send-welcome";
import { SetVehicleDetails } from "./set-vehicle-details";
import { VerifyConnection } from "./verify-connection";

/** Step → its screen. */
export const STEP_SCREENS: Record<string, ComponentType<{ run: Run }>> = {
  "power-on-device": PowerOnDevice,
  "set-vehicle-details": SetVehicleDetails,
  "verify-connection": VerifyConnection,
  "check-firmware": CheckFirmware,
  "device-testing": DeviceTesting,
  "send-welcome": SendWelcome,
  "complete-activation": CompleteActivation,
};
