import { expect, test } from "vitest";
import type { LogEntry } from "./queries";
import { readings } from "./readings";

const EMPTY: LogEntry = {
  id: "1",
  device_key: "FT-X1-00000042",
  type: "report",
  timestamp: "2026-11-21T12:00:00Z",
  command: null,
  command_id: null,
  ok: true,
  latitude: null,
  longitude: null,
  cellular_signal_strength: null,
  carrier: null,
  speed: null,
  gps_status: null,
  gps_direction: null,
  gps_degree: null,
  backup_battery_voltage: null,
  controller: null,
  imei: null,
  iccid: null,
  ble_mac_address: null,
  firmware_version: null,
  ble_firmware_version: null,
  controller_model: null,
  controller_version: null,
  obd: null,
  keylocker: null,
  percent: null,
};
const said = (more: Partial<LogEntry>) =>
  readings({ ...EMPTY, ...more }).map(({ name, value }) => [
    name.message ?? name.id,
    typeof value === "string" ? value : value.message,
  ]);

test("what an entry lacks is left out, and a zero is not lacking", () => {
  expect(said({})).toEqual([]);
  expect(said({ speed: 0 })).toEqual([["Speed", "0"]]);
});

test("a position needs both of its parts", () => {
  expect(said({ latitude: 49.2 })).toEqual([]);
  expect(said({ latitude: 49.2, longitude: -122.9 })).toEqual([["Position", "49.2, -122.9"]]);
});

test("readings carry their units, and what is said twice stands once", () => {
  expect(
    said({
      cellular_signal_strength: -71,
      backup_battery_voltage: 12.6,
      controller_model: "CMX",
      controller: "CMX",
    }),
  ).toEqual([
    ["Signal", "-71 dBm"],
    ["Backup battery", "12.6 V"],
    ["Controller", "CMX"],
  ]);
});

test("what a KeyLocker and the diagnostics say is told, a no as well as a yes", () => {
  const keylocker = {
    mode: "standalone",
    version: "2.0",
    key_present: true,
    roof_locked: false,
    roof_open: null,
  } as const;
  const obd = { connected: true, trouble_codes: ["P0420", "P0171"], engine_rpm: 800 };
  expect(said({ keylocker, obd })).toEqual([
    ["KeyLocker", "standalone, 2.0"],
    ["Key in the KeyLocker", "Yes"],
    ["Roof locked", "No"],
    ["OBD connected", "Yes"],
    ["Trouble codes", "P0420, P0171"],
    ["OBD", "engine rpm: 800"],
  ]);
  expect(said({ obd: { connected: false, trouble_codes: [] } })).toEqual([["OBD connected", "No"]]);
});
