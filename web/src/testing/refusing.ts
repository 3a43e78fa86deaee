import { vi } from "vitest";

type Refused = {
  code: string;
  status?: number;
  detail?: string;
  field?: string;
  reason?: string;
  retryAfter?: number;
};

/** A server that refuses one call with this problem, and answers every other one with nothing. */
export function refusing(path: string, refused: Refused) {
  const { code, status = 422, detail = "Password invalid", field, reason, retryAfter } = refused;
  const fields = field ? [{ field, message: detail }] : [];
  const body = { code, detail, status, reason, validation_errors: fields };
  const headers = retryAfter ? { "Retry-After": String(retryAfter) } : undefined;
  return vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) => {
    const { pathname } = new URL(
      asked instanceof Request ? asked.url : String(asked),
      location.href,
    );
    return pathname === path
      ? Response.json(body, { status, headers })
      : new Response(null, { status: 204 });
  });
}
