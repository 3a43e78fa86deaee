import { problemOf } from "./errors";

type Answer = { data: unknown; isError: boolean; error: unknown };

/** What a person is told of a thing that is gone, or no longer theirs. */
const GONE: readonly number[] = [403, 404, 410];

/**
 * Whether there is nothing to show beside a failure. What was there before stays through one that may pass, with what was typed
 * there; a refusal that speaks of the thing itself takes its place.
 */
export function isLost({ data, isError, error }: Answer): boolean {
  if (!isError) return false;
  const { status, code } = problemOf(error);
  return data === undefined || GONE.includes(status) || code === "business_needed";
}
