import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { wordsFor } from "~/shared/api/error-words";
import { FALLBACK, problemOf } from "~/shared/api/errors";

/** Why a business could not be chosen: the server's reason when it gave one (shell spec 8). */
export function whyNotChosen(cause: unknown): MessageDescriptor | string {
  const problem = problemOf(cause);
  if (problem.detail === FALLBACK || problem.code === "unreachable") {
    return msg`Unexpected error when selecting this business. Please try again later.`;
  }
  return wordsFor(problem);
}
