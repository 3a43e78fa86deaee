import type { MessageDescriptor } from "@lingui/core";
import { msg, plural } from "@lingui/core/macro";
import { useLingui } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { wordsFor } from "~/shared/api/error-words";
import type { Problem } from "~/shared/api/errors";

type Words = MessageDescriptor | string;

type ProblemWordsProps = {
  problem: Problem;
  children: (words: string) => ReactNode;
};

/** Refusals whose own words say how long they last. */
const SAYS_HOW_LONG: readonly string[] = ["too_many_password_changes"];

/** Why something did not work, to be said in the reader's language. */
export default function ProblemWords({ problem, children }: ProblemWordsProps) {
  const { i18n } = useLingui();
  return children(
    linesFor(problem)
      .map((line) => (typeof line === "string" ? line : i18n._(line)))
      .join(" "),
  );
}

/** Why something did not work and, where a limit says so, when to try again. */
function linesFor(problem: Problem): Words[] {
  const { status, code, retryAfter } = problem;
  const words = wordsFor(problem);
  if (status !== 429 || !retryAfter || SAYS_HOW_LONG.includes(code)) return [words];
  return [words, tryAgainIn(retryAfter)];
}

/** The same, with the reference by which support finds what is ours to mend. */
export function linesWithReference(problem: Problem): Words[] {
  const lines = linesFor(problem);
  if (!problem.unexpected || !problem.reference) return lines;
  return [...lines, msg`Reference ${problem.reference}`];
}

/** In minutes up to an hour and a half, then in hours; never too soon. */
function tryAgainIn(seconds: number): MessageDescriptor {
  const minutes = Math.ceil(seconds / 60);
  const hours = Math.ceil(seconds / 3600);
  return minutes <= 90
    ? msg`${plural(minutes, { one: "Try again in # minute.", other: "Try again in # minutes." })}`
    : msg`${plural(hours, { one: "Try again in # hour.", other: "Try again in # hours." })}`;
}
