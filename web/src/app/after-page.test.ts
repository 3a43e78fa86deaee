import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startWorker } from "~/shared/kept/worker";
import { begin, end } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { afterPage } from "./after-page";
import { router } from "./router";
import "./start-from-kept";

vi.mock("~/shared/kept/worker", () => ({ startWorker: vi.fn(async () => undefined) }));

beforeEach(() => {
  vi.useFakeTimers();
  begin(aPerson(), "t");
});
afterEach(() => {
  end();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("a page whose script does not come holds up neither the others nor the worker", async () => {
  vi.spyOn(router, "preloadRoute").mockRejectedValue(new Error("no script"));
  const asked: string[] = [];
  vi.spyOn(router, "loadRouteChunk").mockImplementation(async ({ id }) => {
    asked.push(id);
    if (id === "/_default/devices/") throw new Error("no script");
  });
  afterPage(router);
  await vi.runAllTimersAsync();
  await vi.waitFor(() => expect(startWorker).toHaveBeenCalledOnce());
  expect(asked).toEqual([
    "/_task/activation/device",
    "/_default/devices/",
    "/_default/devices/$key",
  ]);
});
