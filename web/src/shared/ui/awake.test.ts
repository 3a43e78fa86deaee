import { renderHook, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { useAwake } from "./awake";

afterEach(() => Reflect.deleteProperty(navigator, "wakeLock"));

test("the screen stays on for as long as the page is there", async () => {
  const release = vi.fn().mockResolvedValue(undefined);
  const request = vi.fn().mockResolvedValue({ release });
  Object.assign(navigator, { wakeLock: { request } });
  const { unmount } = renderHook(useAwake);
  await waitFor(() => expect(request).toHaveBeenCalledWith("screen"));
  await Promise.resolve();
  unmount();
  await waitFor(() => expect(release).toHaveBeenCalledOnce());
});

test("a browser that cannot, or will not, shows the page all the same", async () => {
  renderHook(useAwake).unmount();
  const request = vi.fn().mockRejectedValue(new Error("low battery"));
  Object.assign(navigator, { wakeLock: { request } });
  renderHook(useAwake).unmount();
  await waitFor(() => expect(request).toHaveBeenCalledOnce());
});
