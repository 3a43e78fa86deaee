import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { wordsFor } from "~/shared/api/error-words";
import type { Problem } from "~/shared/api/errors";

/** The same with the reference by which support finds what is ours to mend. */
export function linesFor(problem: Problem): (MessageDescriptor | string)[] {
  const words = wordsFor(problem);
  if (!problem.unexpected || !problem.reference) return [words];
  return [words, msg`Reference ${problem.reference}`];
}

type ProblemWordsProps = {
  problem: Problem;
  children: (words: MessageDescriptor | string) => ReactNode;
};

/** Why something did not work, to be said in the reader's language. */
export default function ProblemWords({ problem, children }: ProblemWordsProps) {
  return children(wordsFor(problem));
}
