import { Trans, useLingui } from "@lingui/react/macro";
import { ProblemNote } from "~/shared/ui/note";
import type { Lacking } from "../use-wires";

/** Which categories of our own reference are not on the page, and why, with another try. */
export function LackingNote({ lacking }: { lacking: Lacking | undefined }) {
  const { i18n } = useLingui();
  if (!lacking) return null;
  const titles = new Intl.ListFormat(i18n.locale).format(lacking.titles);
  return (
    <>
      <ProblemNote problem={lacking.problem} onRetry={lacking.retry} />
      <p>
        <Trans>Could not be loaded: {titles}</Trans>
      </p>
    </>
  );
}
