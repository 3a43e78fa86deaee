import { isSerial } from "~/shared/forms/validation";
import { fitsCheckDigit, VIN_LENGTH } from "~/shared/vehicles/vin";

/** An ICCID as a code holds it: 19 or 20 digits, and 89 for telecom. */
const ICCID = /^89\d{17,18}$/;
/** Numbers that a box carries for shops. */
const SHOP_NUMBER = /^\d{8,14}$/;

/** The serial number in what codes say: neither the SIM's number nor a shop's, no VIN and no address. */
export function serialAmong(texts: readonly string[]): string | undefined {
  return texts
    .map((text) =>
      text
        .trim()
        .toUpperCase()
        .replace(/^S\/?N[:\s]*/, ""),
    )
    .find((text) => !isAnotherNumber(text) && isSerial(text));
}

function isAnotherNumber(text: string): boolean {
  const isVin = text.length === VIN_LENGTH && fitsCheckDigit(text);
  return ICCID.test(text) || SHOP_NUMBER.test(text) || isVin;
}

/** The last five digits of the SIM number in what codes say. */
export function digitsAmong(texts: readonly string[]): string | undefined {
  return texts
    .map((text) => text.replace(/^ICCID[:\s]*/i, "").replace(/[\s-]/g, ""))
    .find((text) => ICCID.test(text))
    ?.slice(-5);
}
