import type { I18n } from "@lingui/core";
import { useLingui } from "@lingui/react";
import { CHARTS } from "~/shared/flow/charts.gen";
import { stateName } from "~/shared/flow/map/state-name";
import type { RunKind } from "../queries";

/** A state of a kind of run in words, by its latest chart that has the state; as it is where none has. */
export function stateInWords(i18n: I18n, kind: RunKind, state: string): string {
  const chart = Object.values(CHARTS)
    .filter(({ id, states }) => id.startsWith(`${kind}_v`) && state in states)
    .at(-1);
  return chart ? stateName(i18n, chart, state) : state;
}

/** The words for a state, and the state as filters and Temporal have it. */
export function StateNamed({ kind, state }: { kind: RunKind; state: string }) {
  const { i18n } = useLingui();
  const words = stateInWords(i18n, kind, state);
  return (
    <>
      {words}
      {words === state ? null : <small>{state}</small>}
    </>
  );
}
