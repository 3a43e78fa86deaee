import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { useLingui } from "@lingui/react";
import { Note } from "~/shared/ui/notes/note";
import type { InternalWiring } from "../types";

/** The vehicle whose wiring stands in our reference in the place of the one that was asked for. */
export type Mirrored = InternalWiring["mirrors_vehicle"];

export function mirrorsWords(mirrored: NonNullable<Mirrored>): MessageDescriptor {
  return msg`This vehicle mirrors the ${mirrored.name}: its wiring is shown.`;
}

/** Whose wiring is shown; it stands wherever rows of our reference do. */
export function MirrorsNote({ mirrored }: { mirrored: Mirrored | undefined }) {
  const { i18n } = useLingui();
  return mirrored ? <Note tone="wait">{i18n._(mirrorsWords(mirrored))}</Note> : null;
}
