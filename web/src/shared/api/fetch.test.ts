import { afterEach, expect, test, vi } from "vitest";
import { end, isUnproven, recognise } from "~/shared/session/session";
import { aPerson, aWork } from "~/testing/a-person";
import { prove, renew } from "./fetch";

afterEach(() => {
  end();
  vi.restoreAllMocks();
});

test("a network that never answers holds up neither the start nor a call for longer than a call may take", async () => {
  const ends: AbortController[] = [];
  const limits = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => {
    const late = new AbortController();
    ends.push(late);
    return late.signal;
  });
  vi.spyOn(globalThis, "fetch").mockImplementation(
    (_, init) =>
      new Promise((_, fail) => {
        init?.signal?.addEventListener("abort", () =>
          fail(new DOMException("late", "TimeoutError")),
        );
      }),
  );
  recognise(aPerson(), aWork(false));
  const asked = [renew(), prove()];
  expect(limits.mock.calls).toEqual([[4000]]);
  for (const late of ends) late.abort();
  for (const one of asked) await expect(one).rejects.toThrow("late");
  expect(isUnproven()).toBe(true);
});
