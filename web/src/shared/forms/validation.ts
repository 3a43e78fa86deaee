import { CONSTANTS } from "~/shared/constants";
import { holdsCardNumber } from "./card-numbers";

/**
 * The browser's twins of `domain/validation.py`: the spec's message, or nothing when the text passes.
 * `tests/identity/validation/cases.json` drives both to the same verdicts.
 */
export type Rule = (text: string) => string | undefined;
/** A rule of one form, which may look at its other texts. */
export type Judge = (text: string, texts: Readonly<Record<string, string>>) => string | undefined;
type Bound = (text: string, bound: number) => string | undefined;

const NUMBER = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)$/;
const WHOLE = /^[+-]?[0-9]+$/;
const NAME = /^[ \-'’]*[\p{L}\p{M}][\p{L}\p{M} \-'’]*$/u;
const NO_LETTER = /^[ \-'’]*$/;
const UNIQUE_NAME = /^[\p{L}\p{M}0-9 \-'’]*$/u;
const SCHEME = /^https?:\/\//i;
const WEB_ADDRESS = /^https?:\/\/[^\s"<>/?#][^\s"<>]*$/i;
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63})$/;
const LONGEST_EMAIL = 254;
const COUNTRY_CODE = /^\s*\+(?:1|61|52)/;
const SYMBOLS = /[\p{So}\p{Sk}\p{Cs}\p{Co}\p{Cn}\p{Cf}]|[\ufe00-\ufe0f]|\u20e3/gu;

const fits = (pattern: RegExp, fault: string): Rule => {
  return (text) => (text === "" || pattern.test(text) ? undefined : fault);
};
const length = (text: string) => [...text].length;

const number = fits(NUMBER, "Must be a number");
const noCardNumber: Rule = (text) =>
  holdsCardNumber(text) ? "A card number does not belong here" : undefined;

export const RULES = {
  required: (text) => (text.trim() ? undefined : "Required field"),
  number,
  whole_number: (text) => number(text) ?? fits(WHOLE, "Must be a whole number")(text),
  alphanumeric: fits(
    /^[A-Za-z0-9]+$/,
    "Must contain only letters and numbers, no spaces or special characters",
  ),
  name: (text) =>
    fits(
      NAME,
      NO_LETTER.test(text)
        ? "Must contain a letter"
        : "Must contain only letters, spaces, hyphens and apostrophes",
    )(text),
  unique_name: fits(
    UNIQUE_NAME,
    "Must contain only letters, numbers, spaces, hyphens and apostrophes",
  ),
  numbers_or_hyphens: fits(/^[0-9 '-]+$/, "Numbers and/or hyphens only"),
  po_number: fits(
    /^[A-Za-z0-9 ~!@#$%^&.*()_-]+$/,
    "Must contain only letters, numbers, spaces and ~!@#$%^&.*()_-",
  ),
  no_card_number: noCardNumber,
  url: (text) =>
    fits(
      WEB_ADDRESS,
      SCHEME.test(text)
        ? 'Must be a whole web address, without spaces or "<>'
        : "Must start with http or https",
    )(text),
  email: (text) => {
    if (text === "") return undefined;
    return isEmail(text) ? noCardNumber(text.split("@")[0] ?? "") : "Email invalid";
  },
  password: (text) => (text === "" || isPassword(text) ? undefined : "Password invalid"),
  phone: (text) => {
    if (text === "") return undefined;
    return /^[0-9]{10}$/.test(text.replace(/[\s().-]/g, "")) ? undefined : "Phone number invalid";
  },
} satisfies Record<string, Rule>;

export const BOUNDS = {
  min_length: (text, least) =>
    text === "" || length(text) >= least ? undefined : `Must have at least ${least} characters`,
  max_length: (text, most) =>
    length(text) <= most ? undefined : `Must have less than ${most + 1} characters`,
  min_value: (text, least) =>
    number(text) ??
    (text === "" || Number(text) >= least ? undefined : `Must be at least ${least}`),
  max_value: (text, most) =>
    number(text) ?? (text === "" || Number(text) <= most ? undefined : `Must be at most ${most}`),
} satisfies Record<string, Bound>;

export type RuleName = keyof typeof RULES;

/** The first fault of a text by these rules, in their order. */
export function faultOf(
  text: string,
  rules: readonly (RuleName | Judge)[],
  texts: Readonly<Record<string, string>> = {},
): string | undefined {
  for (const rule of rules) {
    const fault = typeof rule === "function" ? rule(text, texts) : RULES[rule](text);
    if (fault) return fault;
  }
  return undefined;
}

/** What a label of a device may hold, for `shape`: capitals, digits and hyphens. */
export function serialShape(typed: string): string {
  return typed.toUpperCase().replaceAll(/[^A-Z0-9-]/g, "");
}

const SERIAL = /^(?!.*--)[A-Z0-9][A-Z0-9-]{2,38}[A-Z0-9]$/;
const BEGINNING = /^(?!.*--)[A-Z0-9][A-Z0-9-]{0,39}$/;

/** Whether a text in that shape can be a serial number (`domain/devices/devices.py:parse_device_key`). */
export function isSerial(text: string): boolean {
  return SERIAL.test(text);
}

/** Whether one can begin with it. */
export function beginsSerial(text: string): boolean {
  return BEGINNING.test(text);
}

export function digitsOnly(typed: string): string {
  return typed.replaceAll(/[^0-9]/g, "");
}

/** The text without emoji and other pictures. */
export function withoutSymbols(text: string): string {
  return text.replace(SYMBOLS, "");
}

/** A number above `most` becomes `most`; what is no number stays for its rule to judge. */
export function capped(text: string, most: number): string {
  return NUMBER.test(text) && Number(text) > most ? String(most) : text;
}

/** `6045550100`, and so with its country code before it, as `(604) 555 - 0100`; what is no phone number stays as it is. */
export function shownPhone(text: string): string {
  const digits = text.replace(COUNTRY_CODE, "").replace(/\D/g, "");
  if (digits.length !== CONSTANTS.phoneDigits) return text;
  return `(${digits.slice(0, 3)}) ${digits.slice(3, 6)} - ${digits.slice(6)}`;
}

/** Whether an e-mail address is of a partner's own domain, or of one below it. */
export function isPartnerAddress(address: string, domains: readonly string[]): boolean {
  const domain = address.toLowerCase().split("@").at(-1) ?? "";
  return domains
    .map((own) => own.toLowerCase())
    .some((own) => domain === own || domain.endsWith(`.${own}`));
}

function isEmail(text: string): boolean {
  const address = text.toLowerCase();
  const match = EMAIL.exec(address);
  if (!match || address.length > LONGEST_EMAIL) return false;
  const local = address.split("@")[0] ?? "";
  const labels = (match[1] ?? "").split(".");
  if (local.startsWith(".") || local.endsWith(".") || local.includes("..")) return false;
  return labels.at(-1) !== labels.at(-2);
}

function isPassword(text: string): boolean {
  const count = length(text);
  return (
    count >= 8 &&
    count < 100 &&
    /[a-z]/.test(text) &&
    /[A-Z]/.test(text) &&
    /[0-9]/.test(text) &&
    /[^A-Za-z0-9\s]/.test(text)
  );
}
