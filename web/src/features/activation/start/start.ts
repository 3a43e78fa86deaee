import { pastLimits } from "~/shared/api/bot-check/past-limits";
import { answered, client, type Schemas } from "~/shared/api/client";
import { Problem } from "~/shared/api/errors";
import { carry } from "~/shared/session/session";

export type Place = { id: string; step: string | undefined; hash: string | undefined };

const TRIES = 20;
const BETWEEN_MS = 1000;

/**
 * Starts a run, or joins the one that this device has. A slow device check is asked for again with the same key, which
 * starts nothing twice. A guest's capability comes once, and goes into the link.
 */
export async function startActivation(
  body: Schemas["StartActivation"],
  key: string,
): Promise<Place> {
  for (let turn = 0; turn < TRIES; turn += 1) {
    const answer = await pastLimits((headers) =>
      answered(
        client.POST("/v1/activations", {
          params: { header: { "Idempotency-Key": key } },
          body,
          headers,
        }),
      ),
    );
    if ("view" in answer) return placeOf(answer);
    const there = await settled(answer.id);
    if (there) return there;
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS));
  }
  throw new Problem(503, { code: "unavailable" });
}

function placeOf(answer: Schemas["StartedActivation"]): Place {
  if (answer.resume_token) carry(answer.resume_token);
  const hash = answer.resume_token ? `resume=${answer.resume_token}` : undefined;
  return { id: answer.id, step: undefined, hash };
}

/** Whoever signed in can look at the run that was taken on; a guest has no way to until the answer with the link. */
async function settled(id: string): Promise<Place | undefined> {
  try {
    await answered(client.GET("/v1/activations/{id}", { params: { path: { id } } }));
    return { id, step: undefined, hash: undefined };
  } catch (cause) {
    if (cause instanceof Problem && [401, 404].includes(cause.status)) return undefined;
    throw cause;
  }
}
