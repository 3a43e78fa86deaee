import type { MessageDescriptor } from "@lingui/core";
import type { ReactNode } from "react";
import { wordsFor } from "~/shared/api/error-words";
import type { Problem } from "~/shared/api/errors";

export { wordsFor };

type ProblemWordsProps = {
  problem: Problem;
  children: (words: MessageDescriptor | string) => ReactNode;
};

/** Why something did not work, to be said in the reader's language. */
export default function ProblemWords({ problem, children }: ProblemWordsProps) {
  return children(wordsFor(problem));
}
