import { useLingui } from "@lingui/react/macro";
import { wordsFor } from "~/shared/api/error-words";
import { CasesOf } from "~/shared/cases/cases-of";
import { Note } from "~/shared/ui/notes/note";
import type { PlacementAnswer } from "../types";
import { stateWords } from "../words";

/** Why the order of this cart came to nothing before, and what happened to its money. Everything that was filled in is still here. */
export function LastTime({ last }: { last: PlacementAnswer }) {
  const { i18n } = useLingui();
  const { error } = last.view;
  const state = stateWords(last.state);
  const words = error ? wordsFor(error) : undefined;
  return (
    <>
      <Note tone="wait">
        {state ? `${i18n._(state)}. ` : null}
        {typeof words === "string" || !words ? words : i18n._(words)}
      </Note>
      <CasesOf of={{ kind: "placement", id: last.view.token }} />
    </>
  );
}
