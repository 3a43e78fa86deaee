import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { LogEntry } from "./queries";

export type Reading = { name: MessageDescriptor; value: string };

/** What an entry says, field by field, with units; absent fields are left out (device log fields, devices spec 3). */
export function readings(entry: LogEntry): Reading[] {
  const { latitude, longitude } = entry;
  const position = latitude != null && longitude != null ? `${latitude}, ${longitude}` : undefined;
  const all: [MessageDescriptor, string | undefined][] = [
    [msg`Position`, position],
    [msg`Progress`, entry.percent == null ? undefined : `${entry.percent} %`],
    [msg`Speed`, entry.speed == null ? undefined : String(entry.speed)],
    [msg`GPS`, joined(entry.gps_status, entry.gps_direction, degrees(entry.gps_degree))],
    [msg`Signal`, unit(entry.cellular_signal_strength, "dBm")],
    [msg`Carrier`, text(entry.carrier)],
    [msg`Backup battery`, unit(entry.backup_battery_voltage, "V")],
    [msg`Firmware`, joined(entry.firmware_version, entry.ble_firmware_version)],
    [msg`Controller`, joined(entry.controller_model, entry.controller, entry.controller_version)],
    [msg`KeyLocker`, joined(entry.keylocker?.mode, entry.keylocker?.version)],
    [msg`IMEI`, text(entry.imei)],
    [msg`ICCID`, text(entry.iccid)],
    [msg`Bluetooth address`, text(entry.ble_mac_address)],
  ];
  return all.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
}

function text(value: string | null | undefined): string | undefined {
  return value ? value : undefined;
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
