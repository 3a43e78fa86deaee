import { expect, test } from "vitest";
import { Problem } from "~/shared/api/errors";
import { isLost } from "./note";

const failed = (error: unknown) => ({ data: "shown", isError: true, error });

test.each([
  ["no answer", new TypeError("fetch failed")],
  ["an outside system that is away", new Problem(503, { code: "unavailable" })],
  ["a fault of ours", new Problem(500, {})],
  ["too many requests", new Problem(429, { code: "slow_down" })],
  ["a sign-in that ran out, which is asked for over the page", new Problem(401, {})],
])("what was there stays through %s", (_, error) => {
  expect(isLost(failed(error))).toBe(false);
});

test.each([
  ["is gone", new Problem(404, { code: "not_found" })],
  ["is not theirs any more", new Problem(403, { code: "forbidden" })],
  ["is of a business that is to be chosen", new Problem(409, { code: "business_needed" })],
])("what %s is shown no longer", (_, error) => {
  expect(isLost(failed(error))).toBe(true);
});

test("without anything to show a failure stands alone, and what is awaited is not lost", () => {
  expect(isLost({ data: undefined, isError: true, error: new TypeError() })).toBe(true);
  expect(isLost({ data: undefined, isError: false, error: null })).toBe(false);
});
