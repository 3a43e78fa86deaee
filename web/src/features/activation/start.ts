import { answered, client } from "~/shared/api/client";
import { carry } from "~/shared/session/session";

type StartBody = {
  device_key: string;
  iccid_last_digits?: string;
  type: string;
  advanced: boolean;
  consumer_email?: string;
};

export type Place = { id: string; step: string | undefined; hash: string | undefined };

/** Starts a run, or joins the one that this device has. A guest's capability comes once, and goes into the link. */
export async function startActivation(body: StartBody, key: string): Promise<Place> {
  const answer = await answered(
    client.POST("/v1/activations", { params: { header: { "Idempotency-Key": key } }, body }),
  );
  if (!("view" in answer)) return { id: answer.id, step: undefined, hash: undefined };
  if (answer.resume_token) carry(answer.resume_token);
  const hash = answer.resume_token ? `resume=${answer.resume_token}` : undefined;
  return { id: answer.id, step: answer.view.step, hash };
}
