import { expect, test } from "vitest";
import { asDigits, asSerial, serialSchema, welcomeSchema } from "./schema";

test("a serial number is forced to upper case and stripped of symbols", () => {
  expect(asSerial(" ft-x1_00000042 😀")).toBe("FT-X100000042");
  expect(asDigits("12a3456")).toBe("12345");
});

test.each([
  [true, "FT-X1-00000042", "00042", true],
  [true, "FT-X1-00000042", "", false],
  [false, "FT-X1-00000042", "", true],
  [false, "FT-X1-0000004", "", false],
  [false, "DR3100R-12345678", "123", false],
  [false, "", "", false],
])("guest %s, %s, %s: valid %s", (guest, device_key, iccid_last_digits, valid) => {
  const judged = serialSchema(guest).safeParse({ device_key, iccid_last_digits });
  expect(judged.success).toBe(valid);
});

test.each([
  ["owner@example.com", true],
  [" owner@example.com ", true],
  ["owner@example", false],
  ["", false],
])("e-mail %s is valid: %s", (email, valid) => {
  expect(welcomeSchema.safeParse({ email }).success).toBe(valid);
});
