import { CONSTANTS } from "~/shared/constants";

const CHECKED = new Set([
  "/v1/auth/register",
  "/v1/auth/dealer-request",
  "/v1/auth/forgot-password",
  "/v1/contact-us",
]);

/** Forms that anybody may send carry the answer to a puzzle (docs/decisions/0011-bot-check.md). */
export async function checked(request: Request): Promise<Request> {
  if (!CHECKED.has(new URL(request.url).pathname)) return request;
  const answer = await solved();
  if (answer) request.headers.set("X-Bot-Check", answer);
  return request;
}

type Asked = {
  challenge?: string | null;
  difficulty?: number;
  site_key?: string | null;
  script?: string | null;
};

/** The answer to a fresh puzzle or the widget's token, or nothing while there is none: the form is then sent without. */
export async function solved(): Promise<string | undefined> {
  try {
    const answer = await fetch("/v1/auth/bot-check", {
      signal: AbortSignal.timeout(CONSTANTS.requestTimeout),
    });
    const asked = (await answer.json()) as Asked;
    if (asked.site_key && asked.script) {
      const { tokenOf } = await import("./bot-check-widget");
      return await tokenOf(asked.script, asked.site_key);
    }
    if (!asked.challenge) return undefined;
    const { solve } = await import("./puzzle");
    return solve(asked.challenge, asked.difficulty ?? 0);
  } catch {
    return undefined;
  }
}
