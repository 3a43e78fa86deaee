import { renderHook } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { useUnsaved } from "~/shared/forms/unsaved";
import { refetchSheets, reloadStaleScripts } from "./stale-scripts";

const reload = vi.fn();
vi.stubGlobal("location", { ...window.location, reload });
reloadStaleScripts();
refetchSheets();

function missing(): Event & { payload: Error } {
  const event = new Event("vite:preloadError", { cancelable: true });
  return Object.assign(event, { payload: new Error("Failed to fetch module") });
}

afterEach(() => {
  sessionStorage.clear();
  reload.mockClear();
});

test("a script that is gone reloads the page, once in a minute", () => {
  vi.useFakeTimers({ now: 1_000_000 });
  const first = missing();
  window.dispatchEvent(first);
  expect(first.defaultPrevented).toBe(true);
  window.dispatchEvent(missing());
  vi.setSystemTime(1_000_000 + 59_999);
  window.dispatchEvent(missing());
  expect(reload).toHaveBeenCalledTimes(1);
  vi.setSystemTime(1_000_000 + 60_000);
  window.dispatchEvent(missing());
  expect(reload).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
});

test("nothing reloads without a network, the router included", () => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  const event = missing();
  window.dispatchEvent(event);
  expect(reload).not.toHaveBeenCalled();
  expect(sessionStorage.getItem("tanstack_router_reload:Failed to fetch module")).toBe("1");
  vi.restoreAllMocks();
});

test("nothing reloads over a dirty form, the router included", () => {
  renderHook(() => useUnsaved(true));
  const event = missing();
  window.dispatchEvent(event);
  expect(reload).not.toHaveBeenCalled();
  expect(event.defaultPrevented).toBe(false);
  expect(sessionStorage.getItem("tanstack_router_reload:Failed to fetch module")).toBe("1");
});

test("a sheet that did not come is asked for again with the signal, as often as it takes", () => {
  document.head.innerHTML =
    '<link rel="stylesheet" href="/part.css"><link rel="icon" href="/a.png">';
  const links = () => [...document.head.querySelectorAll("link")];
  const [sheet, icon] = links();
  icon?.dispatchEvent(new Event("error"));
  for (const _ of [1, 2]) {
    const before = links()[0];
    before?.dispatchEvent(new Event("error"));
    expect(links()[0]).toBe(before);
    window.dispatchEvent(new Event("online"));
    expect(links()[0]).not.toBe(before);
  }
  window.dispatchEvent(new Event("online"));
  expect(links().map((link) => link.getAttribute("href"))).toEqual(["/part.css", "/a.png"]);
  expect(links()[0]).not.toBe(sheet);
  expect(links()[1]).toBe(icon);
});
