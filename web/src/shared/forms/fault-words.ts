import type { I18n, MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";

const WORDS: Record<string, MessageDescriptor> = {
  "Required field": msg`Required field`,
  "Must be a number": msg`Must be a number`,
  "Must be a whole number": msg`Must be a whole number`,
  "Must contain only letters and numbers, no spaces or special characters": msg`Must contain only letters and numbers, no spaces or special characters`,
  "Must contain only letters, spaces, hyphens and apostrophes": msg`Must contain only letters, spaces, hyphens and apostrophes`,
  "Must contain a letter": msg`Must contain a letter`,
  "Must contain only letters, numbers, spaces, hyphens and apostrophes": msg`Must contain only letters, numbers, spaces, hyphens and apostrophes`,
  "Numbers and/or hyphens only": msg`Numbers and/or hyphens only`,
  "Must contain only letters, numbers, spaces and ~!@#$%^&.*()_-": msg`Must contain only letters, numbers, spaces and ~!@#$%^&.*()_-`,
  "A card number does not belong here": msg`A card number does not belong here`,
  "Must start with http or https": msg`Must start with http or https`,
  'Must be a whole web address, without spaces or "<>': msg`Must be a whole web address, without spaces or "<>`,
  "Email invalid": msg`Email invalid`,
  "Password invalid": msg`Password invalid`,
  "Passwords do not match": msg`Passwords do not match`,
  "Phone number invalid": msg`Phone number invalid`,
  "This is no postal code of the country": msg`This is no postal code of the country`,
  "Must have 9 digits": msg`Must have 9 digits`,
  "Must have 4 to 17 digits": msg`Must have 4 to 17 digits`,
};

const COUNTED: readonly [RegExp, (n: string) => MessageDescriptor][] = [
  [/^Must have at least (\d+) characters$/, (n) => msg`Must have at least ${n} characters`],
  [/^Must have less than (\d+) characters$/, (n) => msg`Must have less than ${n} characters`],
  [/^Must be at least (\d+)$/, (n) => msg`Must be at least ${n}`],
  [/^Must be at most (\d+)$/, (n) => msg`Must be at most ${n}`],
];

/** Why a new password is refused although it follows the rule that stands below the field (`reason` of the problem). */
const PASSWORD_REASONS: Record<string, MessageDescriptor> = {
  common: msg`Password invalid. This is one of the passwords that are guessed first.`,
  walk: msg`Password invalid. These keys lie next to each other on the keyboard.`,
  own_name: msg`Password invalid. It is your own name or address.`,
  own_domain: msg`Password invalid. It is the domain of your email address.`,
  same: msg`Password invalid. This is the password you have already.`,
};

/** A fault of a field in the reader's language; the rules and the server speak the spec's English. */
export function faultWords(fault: string, i18n: I18n, reason?: string): string {
  const why = fault === "Password invalid" && reason ? PASSWORD_REASONS[reason] : undefined;
  const plain = why ?? WORDS[fault];
  if (plain) return i18n._(plain);
  for (const [pattern, words] of COUNTED) {
    const count = pattern.exec(fault)?.[1];
    if (count) return i18n._(words(count));
  }
  return fault;
}
