import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { useLingui } from "@lingui/react";
import { ProblemNote } from "~/shared/ui/notes/note";
import type { Lacking } from "../use-wires";

export function lackingWords(titles: string): MessageDescriptor {
  return msg`Could not be loaded: ${titles}`;
}

/** Which categories of our own reference are not on the page, and why, with another try. */
export function LackingNote({ lacking }: { lacking: Lacking | undefined }) {
  const { i18n } = useLingui();
  if (!lacking) return null;
  const titles = new Intl.ListFormat(i18n.locale).format(lacking.titles);
  return (
    <>
      <ProblemNote problem={lacking.problem} onRetry={lacking.retry} />
      <p>{i18n._(lackingWords(titles))}</p>
    </>
  );
}
