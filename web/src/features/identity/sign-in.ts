import { answered, client, type Schemas } from "~/shared/api/client";
import { pastLimits } from "~/shared/api/past-limits";
import { resetBusiness } from "~/shared/business";
import { begin, carry, personOf } from "~/shared/session/session";
import { loadWork } from "~/shared/session/work";

export type Credentials = { username: string; password: string; remember_me: boolean };
export type Challenge = Schemas["ChallengeAnswer"];

/** Signs in, or answers the challenge that comes first. Throws the Problem whose words the form shows. */
export async function signIn(body: Credentials): Promise<Challenge | undefined> {
  // Before another cookie takes the place of the one that was left.
  await import("~/shared/api/untold").then(
    ({ tellUntold }) => tellUntold(),
    () => undefined, // nobody holds it any more; it ends by itself
  );
  const answer = await pastLimits((headers) =>
    answered(client.POST("/v1/auth/sign-in", { body, headers })),
  );
  if ("challenge_id" in answer) return answer;
  await enter(answer);
  return undefined;
}

/** The second factor: the code from the app or the text message. */
export async function confirm(body: Schemas["Confirmation"]): Promise<void> {
  await enter(await answered(client.POST("/v1/auth/mfa/confirm", { body })));
}

async function enter(answer: Schemas["AuthAnswer"]): Promise<void> {
  carry(undefined);
  // What a visitor saw has a visitor's prices.
  if (personOf() === undefined) resetBusiness();
  begin(answer.user, answer.access_token, answer.refresh_token ?? undefined);
  await loadWork();
}

/** How this browser is called in the list of trusted devices. */
export function deviceName(agent: string = navigator.userAgent): string {
  const browser = /Edg|Firefox|Chrome|Safari/.exec(agent)?.[0].replace("Edg", "Edge") ?? "Browser";
  const system = /Windows|Android|iPhone|iPad|Mac|Linux/.exec(agent)?.[0];
  return system ? `${browser}, ${system}` : browser;
}
