import { pastLimits } from "~/shared/api/bot-check/past-limits";
import { answered, client, type Schemas } from "~/shared/api/client";
import { newKey } from "~/shared/api/idempotency";
import { resetBusiness } from "~/shared/business";
import { begin, carry, personOf, session } from "~/shared/session/session";
import { loadWork } from "~/shared/session/work";

export type Credentials = { username: string; password: string; remember_me: boolean };
export type Challenge = Schemas["ChallengeAnswer"];

/** Signs in, or answers the challenge that comes first. Throws the Problem whose words the form shows. */
export async function signIn(body: Credentials): Promise<Challenge | undefined> {
  // Before another cookie takes the place of the one that was left.
  await import("~/shared/session/untold").then(
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
  await chooseAgain(answer);
  begin(answer.user, answer.access_token, answer.refresh_token ?? undefined);
  await loadWork();
}

/**
 * A rep's choice ended with the sign-in, and the page below belongs to it: chosen before the page hears of the new sign-in, what
 * was entered there stays. One that is refused by now is chosen no more.
 */
async function chooseAgain({ user, access_token }: Schemas["AuthAnswer"]): Promise<void> {
  const before = session();
  if (before.state !== "expired" || before.user.id !== user.id || !before.work?.must_choose) return;
  const { business } = before.work;
  if (!business) return;
  const headers = { Authorization: `Bearer ${access_token}`, "Idempotency-Key": newKey() };
  await answered(
    client.PUT("/v1/auth/business", { body: { sapBpCode: business.code }, headers }),
  ).catch(() => undefined);
}

/** How this browser is called in the list of trusted devices. */
export function deviceName(agent: string = navigator.userAgent): string {
  const browser = /Edg|Firefox|Chrome|Safari/.exec(agent)?.[0].replace("Edg", "Edge") ?? "Browser";
  const system = /Windows|Android|iPhone|iPad|Mac|Linux/.exec(agent)?.[0];
  return system ? `${browser}, ${system}` : browser;
}
