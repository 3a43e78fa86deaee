import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { problemOf } from "~/shared/api/errors";
import { vehicleByVin } from "./by-vin";

const DECODED = { ModelYear: 2022, Make: "TOYOTA", Model: "Camry" };
const NO_DATA = "no_vehicle_data";
const AWAY = "vin_search_unavailable";

afterEach(() => vi.unstubAllGlobals());

type Answer = { status: number; code?: string };

async function failure(decoder: Answer | "no network", lists?: Answer): Promise<string> {
  vi.stubGlobal("fetch", async (request: Request) => {
    if (decoder === "no network") throw new TypeError("Failed to fetch");
    const isDecoder = request.url.endsWith("/dot-vehicle-by-vin");
    const answer = isDecoder ? decoder : lists;
    if (!answer) return Response.json([]);
    return Response.json(answer.status === 200 ? DECODED : answer, { status: answer.status });
  });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  try {
    await vehicleByVin(queries, "4T1B11HK5NU000001");
  } catch (cause) {
    return problemOf(cause).code;
  }
  return "found";
}

test.each([
  [{ status: 503, code: AWAY }, AWAY],
  [{ status: 503, code: "unavailable" }, AWAY],
  [{ status: 503 }, AWAY],
  [{ status: 500, code: "unexpected" }, NO_DATA],
  [{ status: 502 }, NO_DATA],
  [{ status: 404, code: "not_found" }, NO_DATA],
  [{ status: 400, code: "malformed_request" }, NO_DATA],
  [{ status: 422, code: "vin_incomplete" }, "vin_incomplete"],
  [{ status: 422, code: "vin_malformed" }, "vin_malformed"],
  [{ status: 429, code: "too_many_attempts" }, "too_many_attempts"],
  ["no network", "unreachable"],
] as const)("a search by VIN that ends with %j is told as %s", async (answer, code) => {
  expect(await failure(answer)).toBe(code);
});

test.each([
  [undefined, NO_DATA],
  [{ status: 503, code: "unavailable" }, AWAY],
  [{ status: 500, code: "unexpected" }, NO_DATA],
])("lists that answer a decoded VIN with %j are told as %s", async (lists, code) => {
  expect(await failure({ status: 200 }, lists)).toBe(code);
});
