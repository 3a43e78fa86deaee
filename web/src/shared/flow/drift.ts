import { authorised } from "~/shared/api/fetch";
import type { Drift, RunAnswer } from "./position";

/** Tells the server that this page is older than a run; nobody waits for it, and nothing hangs on it. */
export function reportDrift({ kind, id, version, state }: RunAnswer, drift: Drift): void {
  const body = JSON.stringify({ kind, id, version, state, ...drift });
  const url = new URL("/v1/flows/drift", window.location.origin);
  const headers = { "content-type": "application/json" };
  void authorised(new Request(url, { method: "POST", headers, body })).catch(() => undefined);
}
