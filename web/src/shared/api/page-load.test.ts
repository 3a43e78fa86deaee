import { expect, test } from "vitest";
import { Problem, problemOf } from "./errors";
import { PageLoadFailure, pageOf } from "./page-load";

test("whatever keeps a page away is one kind of error, with its cause in words", async () => {
  const refused = new Problem(503, { code: "unavailable", detail: "Away", instance: "r-1" }, "7");
  for (const cause of [refused, new TypeError("Failed to fetch")]) {
    const failure = await pageOf(Promise.reject(cause)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PageLoadFailure);
    expect(failure).toMatchObject({ code: problemOf(cause).code, detail: problemOf(cause).detail });
  }
  const failure = await pageOf(Promise.reject(refused)).catch((error: unknown) => error);
  expect(failure).toMatchObject({ status: 503, reference: "r-1", retryAfter: 7 });
});

test("a page that comes is passed on", async () => {
  expect(await pageOf(Promise.resolve([1]))).toEqual([1]);
});
