import { expect, test } from "vitest";
import { asVin, vinFault } from "~/shared/vehicles/vin";
import { asDigits, asSerial, digitsFault, serialFault } from "./schema";

test("a serial number is forced to upper case and stripped of symbols", () => {
  expect(asSerial(" ft-x1_00000042 😀")).toBe("FT-X100000042");
  expect(asDigits("12a3456")).toBe("12345");
});

test.each([
  [true, "FT-X1-00000042", "00042", true],
  [true, "FT-X1-00000042", "", false],
  [false, "FT-X1-00000042", "", true],
  [false, "24E00000042", "", true],
  [false, "7H2K-90441", "", true],
  [false, "7H2", "", false],
  [false, "7H2K--90441", "", false],
  [false, "7H2K-90441-", "", false],
  [false, "DR3100R-12345678", "123", false],
  [false, "", "", false],
])("guest %s, %s, %s: valid %s", (guest, device_key, iccid_last_digits, valid) => {
  const fault = serialFault(device_key) ?? digitsFault(iccid_last_digits, guest);
  expect(fault === undefined).toBe(valid);
});

test("a VIN is written in capitals without spaces and hyphens, and never cut to its form", () => {
  expect(asVin(" 4t1-b11hk 9na100001")).toBe("4T1B11HK9NA100001");
  expect(asVin("4t1b11hk9na1000012")).toBe("4T1B11HK9NA1000012");
  expect(asVin("ioq")).toBe("IOQ");
});

test.each([
  ["", "vin_missing"],
  ["4T1B11HK9NA10000", "vin_malformed"],
  ["4T1B11HK9NA1000012", "vin_malformed"],
  ["4T1B11HK9NA1OOOO1", "vin_malformed"],
  ["4T1B11HK9IA100001", "vin_malformed"],
  ["4T1B11HK9QA100001", "vin_malformed"],
  ["4T1B11HK9NA100001", undefined],
])("the fault of VIN %s is %s", (vin, fault) => {
  expect(vinFault(vin)).toBe(fault);
});
