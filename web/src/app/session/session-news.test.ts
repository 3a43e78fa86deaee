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

test("what is never answered holds up nobody who follows later", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(() => new Promise(() => undefined));
  begin(aRep(), "t");
  followSession()();
  document.dispatchEvent(new Event("visibilitychange"));
  const first = followSession();
  document.dispatchEvent(new Event("visibilitychange"));
  first();
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => server());
  server.mockReset().mockImplementation(() => Response.json({ user: aRep(), ...aWork(true) }));
  unfollow = followSession();
  document.dispatchEvent(new Event("visibilitychange"));
  await vi.waitFor(() => expect(workOf(session())?.business?.code).toBe("N1001"));
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

/** What the server tells a window that is in view. */
function told(code: string): void {
  const hear = vi.mocked(live.follow).mock.calls.at(-1)?.[1];
  const event = { kind: "session", id: "me", rev: 0, seq: 0, allowed: [] };
  hear?.({ ...event, state: "business", view: { code } });
}

test("one that is chosen in another window in view, of which the server tells as well, is loaded once", async () => {
  const listen = vi.spyOn(BroadcastChannel.prototype, "addEventListener").mockReturnValue();
  begin(aRep(), "t");
  amend({ work: workFor("N1001") });
  unfollow = followSession();
  reload.mockClear();
  server.mockClear().mockImplementation(() => Response.json({ user: aRep(), ...workFor("N2000") }));
  const hear = listen.mock.calls[0]?.[1] as (event: MessageEvent) => void; // it is no object
  hear(new MessageEvent("message", { data: { kind: "business", userId: aRep().id } }));
  told("N2000");
  await vi.waitFor(() => expect(workOf(session())?.business?.code).toBe("N2000"));
  await vi.advanceTimersByTimeAsync(0);
  expect(reload).toHaveBeenCalledOnce();
  expect(server).toHaveBeenCalledOnce();
});

test("one that is told while an older answer is on its way is asked for after it", async () => {
  begin(aRep(), "t");
  amend({ work: workFor("N1001") });
  unfollow = followSession();
  reload.mockClear();
  server
    .mockReset()
    .mockReturnValueOnce(Response.json({ user: aRep(), ...workFor("N1001") }))
    .mockReturnValueOnce(Response.json({ user: aRep(), ...workFor("N2000") }));
  document.dispatchEvent(new Event("visibilitychange"));
  told("N2000");
  await vi.waitFor(() => expect(workOf(session())?.business?.code).toBe("N2000"));
  await vi.advanceTimersByTimeAsync(0);
  expect(reload).toHaveBeenCalledOnce();
});

test.each(["told by the server", "seen at a look"])(
  "what is %s, and not answered, is asked for again until it is",
  async (how) => {
    begin(aRep(), "t");
    amend({ work: workFor("N1001") });
    unfollow = followSession();
    reload.mockClear();
    server
      .mockReset()
      .mockReturnValueOnce(Response.json({ code: "unavailable" }, { status: 503 }))
      .mockImplementationOnce(() => {
        throw new TypeError("Failed to fetch");
      })
      .mockImplementation(() => Response.json({ user: aRep(), ...workFor("N2000") }));
    if (how === "told by the server") told("N2000");
    else document.dispatchEvent(new Event("visibilitychange"));
    await vi.advanceTimersByTimeAsync(4_000);
    expect(workOf(session())?.business?.code).toBe("N2000");
    expect(reload).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(server).toHaveBeenCalledTimes(3);
  },
);

test("one that is chosen on this page, of which the server told first, is left to the choice", async () => {
  begin(aRep(), "t");
  amend({ work: workFor("N1001") });
  unfollow = followSession();
  reload.mockClear();
  server.mockClear().mockImplementation(() => {
    amend({ work: workFor("N2000") }); // the answer to the choice
    return Response.json({ user: aRep(), ...workFor("N2000") });
  });
  told("N2000");
  await vi.waitFor(() => expect(server).toHaveBeenCalledOnce());
  await vi.advanceTimersByTimeAsync(0);
  expect(reload).not.toHaveBeenCalled();
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
