import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type {
  ActivationType,
  Feature,
  HardwiredInput,
  HardwiredOutput,
  KeylockerMode,
} from "./types";

export { STEP_WORDS } from "~/shared/flow/words";

export const TYPE_WORDS: Record<
  ActivationType,
  { name: MessageDescriptor; what: MessageDescriptor }
> = {
  "new-device": {
    name: msg`New device`,
    what: msg`A device that has never been activated goes into a vehicle.`,
  },
  "replace-device": {
    name: msg`Replace a device`,
    what: msg`Another device takes over from this one, in the same vehicle.`,
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

/** Command of device-testing and device-configuration → its name (devices spec 4). */
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
  direction_change: msg`Direction change`,
  ignition_on: msg`Ignition on`,
  ignition_off: msg`Ignition off`,
  accelerometer: msg`Accelerometer`,
  towing: msg`Towing`,
  security: msg`Security`,
  engine_monitoring: msg`Engine monitoring`,
  power_settings: msg`Power settings`,
};

/** Feature toggle → its name and what it does (devices spec 3). */
export const TOGGLE_WORDS: Record<Feature, { name: MessageDescriptor; what: MessageDescriptor }> = {
  siren_enabled: { name: msg`Siren`, what: msg`Sounds when the alarm goes off.` },
  valet_mode_enabled: {
    name: msg`Valet mode`,
    what: msg`Holds remote start and security off while others drive.`,
  },
  shock_sensor_enabled: { name: msg`Shock sensor`, what: msg`Knocks set off the alarm.` },
  drive_lock_enabled: { name: msg`Drive lock`, what: msg`Doors lock once the vehicle moves.` },
  passive_arming_enabled: {
    name: msg`Passive arming`,
    what: msg`Arms by itself after the last door closes.`,
  },
  timer_start_enabled: { name: msg`Timer start`, what: msg`Starts the engine at set times.` },
  turbo_timer_start_enabled: {
    name: msg`Turbo timer`,
    what: msg`Lets a turbo cool down before the engine stops.`,
  },
  auto_door_lock_enabled: {
    name: msg`Automatic door lock`,
    what: msg`Doors lock when the engine starts.`,
  },
};

export const MODE_WORDS: Record<
  KeylockerMode,
  { name: MessageDescriptor; what: MessageDescriptor }
> = {
  "add-on": {
    name: msg`Add-on`,
    what: msg`The KeyLocker works with the controller of this device.`,
  },
  standalone: {
    name: msg`Standalone`,
    what: msg`The KeyLocker works by itself, without a controller.`,
  },
};

/** Hardwired lines of the X1MAX (devices spec 4). */
export const OUTPUT_WORDS: Record<HardwiredOutput, MessageDescriptor> = {
  None: msg`None`,
  "Starter Kill": msg`Starter Kill`,
  Unlock: msg`Unlock`,
  Trunk: msg`Trunk`,
  Panic: msg`Panic`,
};

export const INPUT_WORDS: Record<HardwiredInput, MessageDescriptor> = {
  None: msg`None`,
  Low: msg`Low`,
  High: msg`High`,
  "High/Low": msg`High/Low`,
};

/** Value as sent → how long an entered pin holds (devices spec 9; 5 min is sent as 2). */
export const DURATION_WORDS = {
  1: msg`1 min`,
  2: msg`5 min`,
  30: msg`30 min`,
  60: msg`1 h`,
  120: msg`2 h`,
  240: msg`4 h`,
  480: msg`8 h`,
} satisfies Record<number, MessageDescriptor>;

export type PinDuration = keyof typeof DURATION_WORDS;
