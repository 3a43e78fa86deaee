import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { hangsOnBusiness } from "~/shared/business";
import { live } from "~/shared/live/live";
import { amend, begin, end, session, workOf } from "~/shared/session/session";
import { aRep, aWork } from "~/testing/a-person";
import { followSession } from "./session-news";

const server = vi.fn<() => Response>();

let unfollow: (() => void) | undefined;
beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(live, "follow").mockReturnValue(() => undefined);
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => server());
});
afterEach(async () => {
  unfollow?.();
  end();
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("a rep whose business was not answered at the start gets it as soon as the server can", async () => {
  server
    .mockReturnValueOnce(Response.json({ code: "unavailable" }, { status: 503 }))
    .mockReturnValueOnce(Response.json({ user: aRep(), ...aWork(true) }));
  begin(aRep(), "t");
  unfollow = followSession();
  await vi.waitFor(() => expect(server).toHaveBeenCalledTimes(1), { timeout: 2_000 });
  expect(workOf(session())).toBeUndefined();
  await vi.waitFor(() => expect(workOf(session())?.business?.code).toBe("N1001"), {
    timeout: 10_000,
  });
  await vi.advanceTimersByTimeAsync(120_000);
  expect(server).toHaveBeenCalledTimes(2);
});

/** What the page loads anew when the business changes. */
const reload = vi.fn();
hangsOnBusiness("a page that comes into view", { reload, reset: () => undefined });

const workFor = (code: string) => {
  const work = aWork(true);
  return { ...work, business: work.business && { ...work.business, code } };
};

test("a business that is chosen in another tab is this one's as well, with what hangs on it", async () => {
  const listen = vi.spyOn(BroadcastChannel.prototype, "addEventListener").mockReturnValue();
  begin(aRep(), "t");
  amend({ work: workFor("N1001") });
  unfollow = followSession();
  reload.mockClear();
  server.mockImplementation(() => Response.json({ user: aRep(), ...workFor("N2000") }));
  const hear = listen.mock.calls[0]?.[1] as (event: MessageEvent) => void; // it is no object
  hear(new MessageEvent("message", { data: { kind: "business", userId: aRep().id } }));
  await vi.waitFor(() => expect(workOf(session())?.business?.code).toBe("N2000"));
  await vi.advanceTimersByTimeAsync(0);
  expect(reload).toHaveBeenCalledOnce();
});

test.each([
  ["another business", "N2000", 1],
  ["the same business", "N1001", 0],
])("a tab that comes into view under %s loads what hangs on it: %s", async (_, code, times) => {
  begin(aRep(), "t");
  amend({ work: workFor("N1001") });
  unfollow = followSession();
  reload.mockClear();
  server.mockImplementation(() => Response.json({ user: aRep(), ...workFor(code) }));
  document.dispatchEvent(new Event("visibilitychange"));
  await vi.waitFor(() => expect(workOf(session())?.business?.code).toBe(code));
  await vi.advanceTimersByTimeAsync(0);
  expect(reload).toHaveBeenCalledTimes(times);
});
