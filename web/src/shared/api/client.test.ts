import { afterEach, expect, test, vi } from "vitest";
import { CONSTANTS } from "~/shared/constants";
import { answered, client } from "./client";

const STILL = { code: "still_asking", detail: "This takes longer than usual." };

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("every call ends after four seconds", async () => {
  const limits = vi.spyOn(AbortSignal, "timeout");
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json({ results: [] }));
  await answered(client.GET("/v1/site", {}));
  await answered(
    client.POST("/api/iot/device-check", { body: { device_key: "FT-X1-1", isCanadianUser: true } }),
  );
  await answered(client.GET("/v1/firmware/offers", { params: { query: { device_key: "F" } } }));
  expect(limits.mock.calls).toEqual([[4000], [4000], [4000]]);
  expect(CONSTANTS.requestTimeout).toBe(4000);
});

test("what a slow network is still asked for is asked again, a few times", async () => {
  vi.useFakeTimers();
  const asked = vi
    .spyOn(globalThis, "fetch")
    .mockImplementationOnce(async () => Response.json(STILL, { status: 503 }))
    .mockImplementation(async () => Response.json({ results: [] }));
  const answer = answered(
    client.POST("/api/iot/device-check", { body: { device_key: "FT-X1-1", isCanadianUser: true } }),
  );
  await vi.advanceTimersByTimeAsync(1000);
  expect(await answer).toEqual({ results: [] });
  expect(asked).toHaveBeenCalledTimes(2);
  asked.mockImplementation(async () => Response.json(STILL, { status: 503 }));
  const never = answered(client.GET("/v1/site", {})).catch((problem) => problem);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await never).toMatchObject({ code: "still_asking" });
  expect(asked).toHaveBeenCalledTimes(6);
});
