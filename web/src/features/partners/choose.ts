import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { answered, client } from "~/shared/api/client";
import { wordsFor } from "~/shared/api/error-words";
import { FALLBACK, problemOf } from "~/shared/api/errors";
import { reloadBusiness } from "~/shared/business";
import { amend } from "~/shared/session/session";
import { loadWork, tellOtherTabs } from "~/shared/session/work";

/** Works for a business from now on. Throws the Problem; then the one before is still chosen. */
export async function chooseBusiness(sapBpCode: string, key: string): Promise<void> {
  const work = await answered(
    client.PUT("/v1/auth/business", {
      body: { sapBpCode },
      headers: { "Idempotency-Key": key },
    }),
  );
  amend({ work });
  tellOtherTabs("business");
  await reloadBusiness();
}

/** Works for no business any more; what hung on it is emptied, and what is on the screen is asked for anew. */
export async function clearBusiness(key: string): Promise<void> {
  await answered(client.DELETE("/v1/auth/business", { headers: { "Idempotency-Key": key } }));
  await loadWork();
  tellOtherTabs("business");
  await reloadBusiness();
}

/** Why a business could not be chosen: the server's reason when it gave one (shell spec 8). */
export function whyNotChosen(cause: unknown): MessageDescriptor | string {
  const problem = problemOf(cause);
  if (problem.detail === FALLBACK || problem.code === "unreachable") {
    return msg`Unexpected error when selecting this business. Please try again later.`;
  }
  return wordsFor(problem);
}
