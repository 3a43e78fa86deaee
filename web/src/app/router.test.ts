import { globSync, readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { Problem } from "~/shared/api/errors";
import { isKnown } from "~/shared/navigation/routes";
import { queryClient, router } from "./router";

test.each([
  ["a refusal", new Problem(403, { code: "forbidden" }), 1],
  ["what is not there", new Problem(404, {}), 1],
  ["a fault of ours", new Problem(500, {}), 1],
  ["an outside system that does not answer", new Problem(503, {}), 3],
  ["a lost network", new TypeError("Failed to fetch"), 3],
])(
  "after %s a query is asked again where that may help, and nowhere else",
  async (what, fault, times) => {
    const queryFn = vi.fn().mockRejectedValue(fault);
    const asked = queryClient.fetchQuery({ queryKey: [what], queryFn, retryDelay: 0 });
    await expect(asked).rejects.toBe(fault);
    expect(queryFn).toHaveBeenCalledTimes(times);
  },
);

test("no query asks again by a rule of its own: it may only be asked once", () => {
  const own = globSync("src/**/*.{ts,tsx}").filter(
    (file) =>
      !/\.test\.|app\/router\.ts$/.test(file) &&
      /\bretry: (?!false|msg|\(\) => )\(/.test(readFileSync(file, "utf8")),
  );
  expect(own).toEqual([]);
});

test.each(["/Wiring", "/PROFILE", "/Search?s=ftx", "/devices/ft-x1-00000042", "/wiring"])(
  "%s is a page where the registry knows it, and nowhere else",
  (address) => {
    const [, , route] = router.getMatchedRoutes(address.split("?")[0] ?? "");
    expect(route !== undefined).toBe(isKnown(address));
  },
);
