import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { begin, end } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { someCaches } from "~/testing/some-caches";
import { afterPage } from "./after-page";
import { router } from "./router";
import "./kept/start-from-kept";
import "~/layouts/menus/mobile-menu";
import "~/layouts/menus/nav-links";
import "~/layouts/menus/person-links";

let stop: () => void = () => undefined;
const register = vi.fn(async () => undefined);

/** The pages of what is kept, with the layouts round them. */
const KEPT = [
  "/_task/activation/device",
  "/_default/devices/",
  "/_default/devices/$key",
  "/_task",
  "/_default",
  "__root__",
];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("caches", someCaches());
  Object.defineProperty(navigator, "serviceWorker", { value: { register }, configurable: true });
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => new Response("it"));
  begin(aPerson(), "t");
});
afterEach(() => {
  stop();
  end();
  register.mockClear();
  vi.useRealTimers();
  Reflect.deleteProperty(navigator, "serviceWorker");
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test("a page whose script does not come holds up neither the others nor the worker", async () => {
  vi.spyOn(router, "preloadRoute").mockRejectedValue(new Error("no script"));
  const asked: string[] = [];
  vi.spyOn(router, "loadRouteChunk").mockImplementation(async ({ id }) => {
    asked.push(id);
    if (id === "/_default/devices/") throw new Error("no script");
  });
  stop = afterPage(router);
  await vi.runAllTimersAsync();
  await vi.waitFor(() => expect(register).toHaveBeenCalledOnce());
  expect(new Set(asked)).toEqual(new Set(KEPT));
  expect(asked).toHaveLength(KEPT.length);
});

test("whoever signs in on the page later has them then", async () => {
  end();
  vi.spyOn(router, "preloadRoute").mockResolvedValue(undefined);
  const asked = vi.spyOn(router, "loadRouteChunk").mockImplementation(async () => undefined);
  stop = afterPage(router);
  await vi.runAllTimersAsync();
  await vi.waitFor(() => expect(register).toHaveBeenCalledOnce());
  expect(asked).not.toHaveBeenCalled();
  begin(aPerson(), "t");
  begin(aPerson(), "t2");
  await vi.runAllTimersAsync();
  await vi.waitFor(() => expect(register).toHaveBeenCalledTimes(2));
  expect(asked).toHaveBeenCalledTimes(KEPT.length);
});

test("what goes on is over once that is asked for, whatever has come by then", async () => {
  end();
  vi.spyOn(router, "preloadRoute").mockResolvedValue(undefined);
  const asked = vi.spyOn(router, "loadRouteChunk").mockImplementation(async () => undefined);
  const listening = vi.spyOn(window, "addEventListener");
  const leaving = vi.spyOn(window, "removeEventListener");
  stop = afterPage(router);
  await vi.runAllTimersAsync();
  await vi.waitFor(() => expect(register).toHaveBeenCalledOnce());
  const names = () => listening.mock.calls.map(([name]) => name);
  await vi.waitFor(() => expect(names()).toEqual(expect.arrayContaining(["storage", "offline"])));
  stop();
  for (const [name, listener] of listening.mock.calls)
    expect(leaving).toHaveBeenCalledWith(name, listener);
  begin(aPerson(), "t");
  await vi.runAllTimersAsync();
  expect(asked).not.toHaveBeenCalled();
  const begun = listening.mock.calls.length;
  afterPage(router)();
  await vi.runAllTimersAsync();
  expect(listening).toHaveBeenCalledTimes(begun);
  expect(register).toHaveBeenCalledOnce();
});

test("what an earlier portal kept goes with every start, and what this one keeps stays", () => {
  const own = "recent_vehicle_searches:u1";
  const keys = ["vehicle_search", "recent_vehicle_searches", own];
  for (const key of keys) localStorage.setItem(key, "[]");
  stop = afterPage(router);
  expect(keys.filter((key) => localStorage.getItem(key) !== null)).toEqual([own]);
  localStorage.removeItem(own);
});
