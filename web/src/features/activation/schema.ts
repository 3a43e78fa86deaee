import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import * as z from "zod/mini";
import { VIN_LENGTH } from "~/shared/vehicles/vin";

/** Messages are keys of this table, so that a schema knows no language. */
export const FAULT_WORDS: Record<string, MessageDescriptor> = {
  required: msg`Required field`,
  serial: msg`Serial number invalid`,
  digits: msg`Enter the last 5 digits of the SIM number`,
  email: msg`Email invalid`,
  same: msg`This is the device that is to be replaced`,
  pin: msg`Must have 4 to 8 digits`,
  vin_missing: msg`Please provide a vehicle VIN number to continue`,
  vin_short: msg`A VIN has 17 letters and digits`,
};

/** Letters, digits and hyphens in upper case: what a label may hold (devices spec 5). */
export function asSerial(text: string): string {
  return text
    .toUpperCase()
    .replace(/[^A-Z0-9-]/g, "")
    .slice(0, 40);
}

export function asDigits(text: string): string {
  return text.replace(/\D/g, "").slice(0, 5);
}

const serial = z
  .string()
  .check(
    z.minLength(1, "required"),
    z.regex(/^(?!.*--)[A-Z0-9][A-Z0-9-]{2,38}[A-Z0-9]$/, "serial"),
  );

/** A guest proves possession by the digits; whoever signed in may leave them out. */
function digitsFor(guest: boolean) {
  return guest
    ? z.string().check(z.minLength(1, "required"), z.regex(/^\d{5}$/, "digits"))
    : z.string().check(z.regex(/^(\d{5})?$/, "digits"));
}

export function serialSchema(guest: boolean) {
  return z.object({ device_key: serial, iccid_last_digits: digitsFor(guest) });
}

/** The device that takes over from `old`. */
export function replacementSchema(guest: boolean, old: string) {
  return z.object({
    new_device_key: serial.check(z.refine((key) => key !== old, "same")),
    iccid_last_digits: digitsFor(guest),
  });
}

const PIN = /^[0-9]{4,8}$/;

/** Why a text is no pin; nothing when it is one (`domain/devices/keylocker.py:PIN_FORM`). */
export function pinFault(text: string): "required" | "pin" | undefined {
  if (text === "") return "required";
  return PIN.test(text) ? undefined : "pin";
}

/** Digits and nothing else, as many as a pin may have. */
export function asPin(text: string): string {
  return text.replace(/\D/g, "").slice(0, 8);
}

/** Why what `asVin` left cannot be looked up; nothing when it can. */
export function vinFault(vin: string): "vin_missing" | "vin_short" | undefined {
  if (vin === "") return "vin_missing";
  return vin.length < VIN_LENGTH ? "vin_short" : undefined;
}
