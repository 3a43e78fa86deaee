import { i18n } from "@lingui/core";
import { expect, test } from "vitest";
import { COUNTRIES, countryName, isPostalCode, REGIONS, regionsOf } from "./regions";

test("the countries have their thirteen, fifty-two, thirty-two and eight regions", () => {
  expect(COUNTRIES.map((one) => Object.keys(REGIONS[one]).length)).toEqual([13, 52, 32, 8]);
  expect(regionsOf("CA", i18n).map(({ value }) => value)).toContain("QC");
});

test.each([
  ["CA", "Canada"],
  ["", ""],
  ["Canada", "Canada"],
])("the country of an address %s is told as %s", (code, name) => {
  expect(countryName(code, i18n)).toBe(name);
});

test.each([
  ["V6B 1A1", "CA", true],
  ["v6b1a1", "CA", true],
  ["V6B 1A", "CA", false],
  ["D6B 1A1", "CA", false],
  ["98101", "US", true],
  ["98101-0042", "US", true],
  ["9810", "US", false],
  ["2000", "AU", true],
  ["20000", "AU", false],
  ["06600", "MX", true],
  ["anything", "FR", true],
])("the postal code %s of %s is %s", (text, country, verdict) => {
  expect(isPostalCode(text, country)).toBe(verdict);
});
