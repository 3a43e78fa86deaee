import { useLingui } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { wordsFor } from "~/shared/api/error-words";
import type { Problem } from "~/shared/api/errors";

export { wordsFor };

type ProblemWordsProps = { problem: Problem; children: (words: string) => ReactNode };

/** Why something did not work, in the reader's language. */
export default function ProblemWords({ problem, children }: ProblemWordsProps) {
  const { i18n } = useLingui();
  const words = wordsFor(problem);
  return children(typeof words === "string" ? words : i18n._(words));
}
