import type { ComponentType } from "react";
import type { Run } from "../session-hook";
import { CheckFirmware } from "./check-firmware/check-firmware";
import { CompleteActivation } from "./complete-activation/complete-activation";
import { ControllerOptionTables } from "./controller-option-tables/controller-option-tables";
import { DeviceConfiguration } from "./device-configuration/device-configuration";
import { DeviceRewards } from "./device-rewards/device-rewards";
import { DeviceTesting } from "./device-testing/device-testing";
import { HardwireX1max } from "./hardwire-x1max/hardwire-x1max";
import { KeylockerMode } from "./keylocker-mode/keylocker-mode";
import { KeylockerOptionTables } from "./keylocker-option-tables/keylocker-option-tables";
import { KeylockerPinCodes } from "./keylocker-pin-codes/keylocker-pin-codes";
import { KeylockerPocPic } from "./keylocker-poc-pic/keylocker-poc-pic";
import { PowerOnDevice } from "./power-on-device/power-on-device";
import { PurchasePlan } from "./purchase-plan/purchase-plan";
import { ReplaceDevice } from "./replace-device/replace-device";
import { ResetKeylockerPairing } from "./reset-keylocker-pairing/reset-keylocker-pairing";
import { SendWelcome } from "./send-welcome/send-welcome";
import { SetVehicleDetails } from "./set-vehicle-details/set-vehicle-details";
import { SystemSettings } from "./system-settings/system-settings";
import { VerifyConnection } from "./verify-connection/verify-connection";

/** Step → its screen. */
export const STEP_SCREENS: Record<string, ComponentType<{ run: Run }>> = {
  "replace-device": ReplaceDevice,
  "power-on-device": PowerOnDevice,
  "set-vehicle-details": SetVehicleDetails,
  "verify-connection": VerifyConnection,
  "check-firmware": CheckFirmware,
  "reset-keylocker-pairing": ResetKeylockerPairing,
  "controller-option-tables": ControllerOptionTables,
  "keylocker-mode": KeylockerMode,
  "keylocker-option-tables": KeylockerOptionTables,
  "keylocker-poc-pic": KeylockerPocPic,
  "keylocker-pin-codes": KeylockerPinCodes,
  "system-settings": SystemSettings,
  "device-configuration": DeviceConfiguration,
  "hardwire-x1max": HardwireX1max,
  "device-testing": DeviceTesting,
  "purchase-plan": PurchasePlan,
  "device-rewards": DeviceRewards,
  "send-welcome": SendWelcome,
  "complete-activation": CompleteActivation,
};
