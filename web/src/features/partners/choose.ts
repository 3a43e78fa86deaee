import { answered, client } from "~/shared/api/client";
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
