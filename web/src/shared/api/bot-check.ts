import { leadingZeros, sha256 } from "./sha256";

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

/** The answer to a fresh puzzle, or nothing while there is none: the form is then sent without. */
export async function solved(): Promise<string | undefined> {
  try {
    const asked = await fetch("/v1/auth/bot-check");
    const puzzle = (await asked.json()) as { challenge?: string | null; difficulty?: number };
    return puzzle.challenge ? solve(puzzle.challenge, puzzle.difficulty ?? 0) : undefined;
  } catch {
    return undefined;
  }
}

/** `<challenge>.<number>` whose SHA-256 begins with that many zero bits. */
export function solve(challenge: string, difficulty: number): string {
  for (let number = 0; ; number += 1) {
    const answer = `${challenge}.${number}`;
    if (leadingZeros(sha256(answer)) >= difficulty) return answer;
  }
}
