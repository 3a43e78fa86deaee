import { afterEach, expect, test, vi } from "vitest";
import { Problem } from "../errors";
import { pastLimits } from "./past-limits";

afterEach(() => {
  vi.restoreAllMocks();
});

function puzzle() {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () =>
    Response.json({ challenge: "c", difficulty: 0 }),
  );
}

test("what is refused by a limit is sent once more with a puzzle solved", async () => {
  puzzle();
  const sent: Record<string, string>[] = [];
  const answer = await pastLimits(async (headers) => {
    sent.push(headers);
    if (sent.length === 1) throw new Problem(429, { code: "throttled" });
    return "done";
  });
  expect(answer).toBe("done");
  expect(sent).toEqual([{}, { "X-Bot-Check": "c.0" }]);
});

test("any other refusal is told as it is", async () => {
  puzzle();
  const send = vi.fn(async () => {
    throw new Problem(422, { code: "code_mismatch" });
  });
  await expect(pastLimits(send)).rejects.toMatchObject({ status: 422 });
  expect(send).toHaveBeenCalledTimes(1);
});
