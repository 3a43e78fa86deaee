import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { useLingui } from "@lingui/react/macro";
import type { FieldRules } from "~/shared/forms/fields";
import { isSerial, serialShape } from "~/shared/forms/validation";

/** Faults are keys of this table, so that a rule knows no language. */
const FAULT_WORDS: Record<string, MessageDescriptor> = {
  required: msg`Required field`,
  serial: msg`Serial number invalid`,
  digits: msg`Enter the last 5 digits of the SIM number`,
  email: msg`Email invalid`,
  same: msg`This is the device that is to be replaced`,
  pin: msg`Must have 4 to 8 digits`,
  vin_missing: msg`Please provide a vehicle VIN number to continue`,
  vin_malformed: msg`Unable to find a vehicle using this vin. Please check your vin for accuracy or search by year, make, and model.`,
};

/** Letters, digits and hyphens in upper case: what a label may hold (devices spec 5). */
export function asSerial(text: string): string {
  return serialShape(text).slice(0, 40);
}

export function asDigits(text: string): string {
  return text.replace(/\D/g, "").slice(0, 5);
}

export function serialFault(key: string): "required" | "serial" | undefined {
  if (key === "") return "required";
  return isSerial(key) ? undefined : "serial";
}

/** The device that takes over from `old`. */
export function replacementFault(key: string, old: string) {
  return serialFault(key) ?? (key === old ? "same" : undefined);
}

/** A guest proves possession by the digits; whoever signed in may leave them out. */
export function digitsFault(digits: string, guest: boolean): "required" | "digits" | undefined {
  if (digits === "") return guest ? "required" : undefined;
  return /^\d{5}$/.test(digits) ? undefined : "digits";
}

const PIN = /^[0-9]{4,8}$/;

/** Why a text is no pin; nothing when it is one (`domain/devices/keylocker.py:PIN_FORM`). */
function pinFault(text: string): "required" | "pin" | undefined {
  if (text === "") return "required";
  return PIN.test(text) ? undefined : "pin";
}

/** Digits and nothing else, as many as a pin may have. */
function asPin(text: string): string {
  return text.replace(/\D/g, "").slice(0, 8);
}

/** Says a fault of these rules in the reader's language. */
export function useFaultWords() {
  const { i18n } = useLingui();
  return (fault: string | undefined): string | undefined => {
    const words = fault === undefined ? undefined : FAULT_WORDS[fault];
    return words && i18n._(words);
  };
}

/** The rules of a pin, for `useFields`. */
export function usePinRules(): FieldRules {
  const words = useFaultWords();
  return { rules: [(pin) => words(pinFault(pin))], verbatim: true, shape: asPin };
}
