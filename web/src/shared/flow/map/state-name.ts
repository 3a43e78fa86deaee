import type { I18n } from "@lingui/core";
import type { Chart } from "../chart";
import { LABEL_WORDS, LABEL_WORDS_OF } from "./labels";

/** What a chart calls a state, or a step, in the page's language; the state itself where it knows none of it. */
export function stateName(i18n: I18n, chart: Chart, state: string): string {
  const known = chart.states[state]?.meta.label ?? chart.labels[state] ?? state;
  const kind = chart.id.replace(/_v\d+$/, "");
  const words = LABEL_WORDS_OF[kind]?.[known] ?? LABEL_WORDS[known];
  return words ? i18n._(words) : known;
}
