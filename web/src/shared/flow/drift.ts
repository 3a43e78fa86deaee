import { client } from "~/shared/api/client";
import type { Drift, RunAnswer } from "./position";

/** Tells the server that this page is older than a run; nobody waits for it, and nothing hangs on it. */
export function reportDrift({ kind, id, version, state }: RunAnswer, drift: Drift): void {
  const body = { kind, id, version, state, ...drift };
  void client.POST("/v1/flows/drift", { body }).catch(() => undefined);
}
