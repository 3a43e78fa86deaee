import createClient from "openapi-fetch";
import { CONSTANTS } from "~/shared/constants";
import { checked } from "./bot-check/bot-check";
import { Problem, problemOf } from "./errors";
import { authorised } from "./fetch";
import { named } from "./request-names";
import type { components, paths } from "./schema.gen";

export type Schemas = components["schemas"];

export const client = createClient<paths>({ baseUrl: window.location.origin, fetch: inTime });

const ASKED_AGAIN = 3;
const PAUSE_MS = 1000;

/**
 * No call waits longer than the specs allow (shell spec 9). What somebody else's network is still asked for is asked
 * again a little later: the server goes on asking meanwhile.
 */
async function inTime(request: Request): Promise<Response> {
  const ready = await checked(named(request));
  for (let again = ASKED_AGAIN; ; again -= 1) {
    const limit = AbortSignal.timeout(CONSTANTS.requestTimeout);
    const signal = AbortSignal.any([request.signal, limit]);
    const answer = await authorised(new Request(ready.clone(), { signal }));
    if (again === 0 || !(await isStillAsking(answer))) return answer;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

async function isStillAsking(answer: Response): Promise<boolean> {
  if (answer.status !== 503) return false;
  const said = (await answer
    .clone()
    .json()
    .catch(() => ({}))) as { code?: string };
  return said.code === "still_asking";
}

type Result<T> = { data?: T; error?: unknown; response: Response };

/** The answer's body, or a Problem: refusals and a network that is down look alike to the caller. */
export async function answered<T>(call: Promise<Result<T>>): Promise<T> {
  let result: Result<T>;
  try {
    result = await call;
  } catch (cause) {
    throw problemOf(cause);
  }
  const { ok, status, statusText, headers } = result.response;
  if (!ok) throw new Problem(status, result.error, headers.get("Retry-After"), statusText);
  return result.data as T; // an ok answer of these calls always has its body
}
