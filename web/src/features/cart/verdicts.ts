import type { I18n, MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { Tone } from "~/shared/ui/status";
import type { Judged } from "./pad";

const WORDS: Record<Judged["verdict"], MessageDescriptor> = {
  ready: msg`Can be added`,
  merged: msg`Counted with an earlier row`,
  unknown: msg`No product has this SKU`,
  no_sku: msg`The SKU is missing`,
  bad_quantity: msg`The quantity must be a whole number above zero`,
  not_for_purchase: msg`Not available for purchase`,
  no_price: msg`Without a price at the moment`,
  too_many: msg`More than 9,999 pieces of one product`,
  cart_full: msg`The cart is full: it holds 1,000 products`,
};

export function toneOf({ verdict }: Judged): Tone {
  if (verdict === "ready") return "ok";
  return verdict === "merged" ? "wait" : "fail";
}

/** The verdict and what else is good to know, as sentences. */
export function verdictWords(i18n: I18n, judged: Judged): string[] {
  const words = [i18n._(WORDS[judged.verdict])];
  if (judged.is_alias && judged.found_sku) {
    words.push(i18n._(msg`Called ${judged.found_sku} now`));
  }
  if (judged.verdict === "ready" && judged.pieces !== Number(judged.quantity)) {
    words.push(i18n._(msg`${judged.pieces} pieces with later rows`));
  }
  if (judged.case_quantity) words.push(i18n._(msg`Packed in cases of ${judged.case_quantity}`));
  if (judged.verdict === "ready" && judged.later) {
    words.push(i18n._(msg`${judged.later} of them later`));
  }
  return words;
}
