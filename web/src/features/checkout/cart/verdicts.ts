import type { I18n } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { VERDICT_WORDS } from "~/shared/cart/verdict-words";
import type { Tone } from "~/shared/ui/notes/status";
import type { CheckedRow } from "./pad";

export function toneOf({ verdict }: CheckedRow): Tone {
  if (verdict === "ready") return "ok";
  return verdict === "merged" ? "wait" : "fail";
}

/** The verdict and what else is good to know, as sentences. */
export function verdictWords(i18n: I18n, judged: CheckedRow): string[] {
  const words = [i18n._(VERDICT_WORDS[judged.verdict])];
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
