import { expect, test } from "vitest";
import { vinAmong } from "~/shared/vehicles/vin";
import { labelOf } from "~/testing/code39";
import { readFrame } from "./frames";

const CAMRY = "4T1B11HK9NA100001";
const WRONG_DIGIT = "4T1B11HK0NA100001";

test("the label of a door frame is read", () => {
  expect(readFrame(labelOf(CAMRY))).toBe(CAMRY);
  expect(
    readFrame({ ...labelOf(CAMRY), data: new Uint8ClampedArray(640 * 240 * 4).fill(255) }),
  ).toBe(undefined);
});

test.each([
  [[], undefined],
  [["012345678905"], undefined],
  [[CAMRY], CAMRY],
  [[`I${CAMRY}`], CAMRY],
  [[` ${CAMRY.toLowerCase()} `], CAMRY],
  [[`https://vin.example/${CAMRY}?x=1`], CAMRY],
  [[`${CAMRY}99`], undefined],
  [[WRONG_DIGIT], WRONG_DIGIT],
  [[WRONG_DIGIT, CAMRY], CAMRY],
])("of %j the VIN is %s", (texts, vin) => {
  expect(vinAmong(texts)).toBe(vin);
});
