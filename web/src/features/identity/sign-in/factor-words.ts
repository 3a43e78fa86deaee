import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { Challenge } from "./sign-in";

/** The kinds of a second factor as the spec names them (shell spec 1), to stand beside our words. */
export const FACTOR_WORDS = {
  none: msg`none`,
  sms: msg`SMS`,
  totp: msg`software token`,
} satisfies Record<Challenge["mfa_type"], MessageDescriptor>;
