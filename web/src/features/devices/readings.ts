import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { LogEntry } from "./queries";

/** A value is as the device said it, or a word for it. */
export type Reading = { name: MessageDescriptor; value: string | MessageDescriptor };

/** What an entry says, field by field, with units; absent fields are left out (device log fields, devices spec 3). */
export function readings(entry: LogEntry): Reading[] {
  const { latitude, longitude } = entry;
  const position = latitude != null && longitude != null ? `${latitude}, ${longitude}` : undefined;
  const { keylocker } = entry;
  const { connected, trouble_codes, ...others } = entry.obd ?? {};
  const all: [MessageDescriptor, Reading["value"] | undefined][] = [
    [msg`Position`, position],
    [msg`Progress`, entry.percent == null ? undefined : `${entry.percent} %`],
    [msg`Speed`, entry.speed == null ? undefined : String(entry.speed)],
    [msg`GPS`, joined(entry.gps_status, entry.gps_direction, degrees(entry.gps_degree))],
    [msg`Signal`, unit(entry.cellular_signal_strength, "dBm")],
    [msg`Carrier`, text(entry.carrier)],
    [msg`Backup battery`, unit(entry.backup_battery_voltage, "V")],
    [msg`Firmware`, joined(entry.firmware_version, entry.ble_firmware_version)],
    [msg`Controller`, joined(entry.controller_model, entry.controller, entry.controller_version)],
    [msg`KeyLocker`, joined(keylocker?.mode, keylocker?.version)],
    [msg`Key in the KeyLocker`, yesOrNo(keylocker?.key_present)],
    [msg`Roof locked`, yesOrNo(keylocker?.roof_locked)],
    [msg`Roof open`, yesOrNo(keylocker?.roof_open)],
    [msg`OBD connected`, yesOrNo(connected)],
    [msg`Trouble codes`, listed(trouble_codes)],
    [msg`OBD`, joined(...Object.entries(others).map(([name, value]) => said(name, value)))],
    [msg`IMEI`, text(entry.imei)],
    [msg`ICCID`, text(entry.iccid)],
    [msg`Bluetooth address`, text(entry.ble_mac_address)],
  ];
  return all.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
}

function text(value: string | null | undefined): string | undefined {
  return value ? value : undefined;
}

function yesOrNo(value: unknown): MessageDescriptor | undefined {
  if (typeof value !== "boolean") return undefined;
  return value ? msg`Yes` : msg`No`;
}

function listed(value: unknown): string | undefined {
  return Array.isArray(value) ? joined(...value.map(String)) : undefined;
}

function said(name: string, value: unknown): string {
  return `${name.replaceAll("_", " ")}: ${typeof value === "string" ? value : JSON.stringify(value)}`;
}

function unit(value: number | null | undefined, name: string): string | undefined {
  return value == null ? undefined : `${value} ${name}`;
}

function degrees(value: number | null | undefined): string | undefined {
  return value == null ? undefined : `${value}°`;
}

function joined(...parts: (string | null | undefined)[]): string | undefined {
  const said = [...new Set(parts.filter(Boolean))];
  return said.length > 0 ? said.join(", ") : undefined;
}
