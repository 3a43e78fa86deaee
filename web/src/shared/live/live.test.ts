import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { begin, end } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { live } from "./live";

const GAVE_WAY = "event: gave-way\ndata: {}\n\n";

/** What each stream says before it ends; one without a word stays open. */
const server = vi.fn<() => string | undefined>();

let unfollow: () => void;
beforeEach(async () => {
  vi.useFakeTimers();
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => new Response(bodyOf(server())));
  begin(aPerson(), "t");
  await vi.advanceTimersByTimeAsync(100);
  server.mockReset();
});
afterEach(async () => {
  unfollow();
  end();
  await vi.advanceTimersByTimeAsync(100);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function bodyOf(word: string | undefined): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(out) {
      if (word === undefined) return;
      out.enqueue(new TextEncoder().encode(word));
      out.close();
    },
  });
}

/** Follows a run until its stream, which gave way, has ended. */
async function followed() {
  server.mockReturnValueOnce(GAVE_WAY);
  unfollow = live.follow("activation:a1", () => undefined);
  await vi.waitFor(() => expect(server).toHaveBeenCalledOnce());
  await vi.waitFor(() => expect(live.state()).toBe("idle"));
}

test("a stream that gave way rests until its tab is looked at again", async () => {
  const seen = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  await followed();
  window.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(30_000);
  expect(server).toHaveBeenCalledOnce();
  expect(live.state()).toBe("idle");

  document.dispatchEvent(new Event("visibilitychange"));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(server).toHaveBeenCalledOnce();

  seen.mockReturnValue("visible");
  document.dispatchEvent(new Event("visibilitychange"));
  await vi.waitFor(() => expect(live.state()).toBe("live"));
  expect(server).toHaveBeenCalledTimes(2);
});

test("one whose tab is in view comes back after a pause", async () => {
  await followed();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(server).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(server).toHaveBeenCalledTimes(2);
  expect(live.state()).toBe("live");
});
