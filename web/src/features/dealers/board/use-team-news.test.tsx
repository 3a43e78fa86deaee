import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderHook } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { FlowEvent } from "~/shared/live/frames";
import { live } from "~/shared/live/live";
import { boardKey } from "./queries";
import { useTeamNews } from "./use-team-news";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("a change that a stream which was opened anew tells again is not asked for again", () => {
  vi.useFakeTimers();
  let listener: ((event: FlowEvent) => void) | undefined;
  vi.spyOn(live, "follow").mockImplementation((_, heard) => {
    listener = heard;
    return () => undefined;
  });
  const cache = new QueryClient();
  cache.setQueryData(boardKey("d1"), []);
  const asked = vi.spyOn(cache, "invalidateQueries");
  renderHook(() => useTeamNews("d1"), {
    wrapper: ({ children }) => <QueryClientProvider client={cache}>{children}</QueryClientProvider>,
  });
  const hear = (at: string) =>
    listener?.({
      kind: "team",
      id: "d1",
      rev: 0,
      seq: 0,
      state: "",
      allowed: [],
      view: { at },
    });
  hear("2026-01-02T10:00:00Z");
  hear("2026-01-02T10:00:00Z");
  vi.advanceTimersByTime(5000);
  expect(asked).toHaveBeenCalledTimes(1); // what came so lately is left as it is
  hear("2026-01-02T10:00:07Z");
  expect(asked).toHaveBeenCalledTimes(2);
});
