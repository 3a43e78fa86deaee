import createClient from "openapi-fetch";
import { CONSTANTS } from "~/shared/constants";
import { checked } from "./bot-check";
import { Problem, problemOf } from "./errors";
import { authorised } from "./fetch";
import type { components, paths } from "./schema.gen";

export type Schemas = components["schemas"];

export const client = createClient<paths>({ baseUrl: window.location.origin, fetch: inTime });

/** Calls that wait for somebody else's network; the server gives up on it after 7 s. Our choice. */
const PATIENT_MS = 8000;
const PATIENT = [
  /^\/api\/iot\/device-check$/,
  /^\/v1\/activations\/[^/]+\/option-tables$/,
  /^\/v1\/firmware(\/offers)?$/,
  /^\/v1\/devices\/[^/]+$/,
  /^\/api\/plans\/upgrade$/,
];

/** No other call of a screen waits longer than the specs allow (shell spec 9). */
async function inTime(request: Request): Promise<Response> {
  const ready = await checked(request);
  const path = new URL(request.url).pathname;
  const patient = PATIENT.some((pattern) => pattern.test(path));
  const limit = AbortSignal.timeout(patient ? PATIENT_MS : CONSTANTS.requestTimeout);
  return authorised(new Request(ready, { signal: AbortSignal.any([request.signal, limit]) }));
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
  const { ok, status, headers } = result.response;
  if (!ok) throw new Problem(status, result.error, headers.get("Retry-After"));
  return result.data as T; // an ok answer of these calls always has its body
}
