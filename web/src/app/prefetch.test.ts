import { expect, test, vi } from "vitest";
import { afterwards, mayPrefetch } from "./prefetch";

test.each([
  [undefined, true],
  [{ effectiveType: "4g" }, true],
  [{ effectiveType: "3g", saveData: false }, true],
  [{ effectiveType: "2g" }, false],
  [{ effectiveType: "slow-2g" }, false],
  [{ effectiveType: "4g", saveData: true }, false],
])("with a connection of %o prefetching is %s", (connection, expected) => {
  expect(mayPrefetch(connection)).toBe(expected);
});

test("a script that did not come is asked for again with the signal, and once it is there no more", async () => {
  const work = vi.fn();
  const fetchIt = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(new TypeError("Failed to fetch"))
    .mockRejectedValueOnce(new TypeError("Failed to fetch"))
    .mockResolvedValue("script");
  afterwards(fetchIt, work);
  for (const times of [1, 2]) {
    await vi.waitFor(() => expect(fetchIt).toHaveBeenCalledTimes(times));
    await Promise.resolve();
    expect(work).not.toHaveBeenCalled();
    window.dispatchEvent(new Event("online"));
  }
  await vi.waitFor(() => expect(work).toHaveBeenCalledExactlyOnceWith("script"));
  window.dispatchEvent(new Event("online"));
  expect(fetchIt).toHaveBeenCalledTimes(3);
});
