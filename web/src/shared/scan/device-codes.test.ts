import { expect, test } from "vitest";
import { digitsAmong, serialAmong } from "./device-codes";

test.each([
  [["FT-X1-00000042"], "FT-X1-00000042"],
  [["S/N ft-x1-00000042"], "FT-X1-00000042"],
  [["SN:7H2K-90441"], "7H2K-90441"],
  [["89302720400012348356", "24E00000042"], "24E00000042"],
  [["012345678905"], undefined],
  [["4T1B11HK9NA100001"], undefined],
  [["https://maker.example/FT-X1-00000042"], undefined],
  [[], undefined],
])("of %j the serial number is %s", (texts, serial) => {
  expect(serialAmong(texts)).toBe(serial);
});

test.each([
  [["FT-X1-00000042", "89302720400012348356"], "48356"],
  [["ICCID: 8930 2720 4000 1234 8356"], "48356"],
  [["FT-X1-00000042"], undefined],
])("of %j the SIM digits are %s", (texts, digits) => {
  expect(digitsAmong(texts)).toBe(digits);
});
