import { renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Problem, UNREACHABLE } from "~/shared/api/errors";
import { clearAlerts, dismiss, tell, tellProblem, useAlerts } from "./alerts";

// Test files of one worker share the page: an earlier one may have left a message.
beforeEach(clearAlerts);
afterEach(clearAlerts);
const shown = () => renderHook(useAlerts).result.current;

test("an error stays, all else goes after five seconds, later with something to press, and a timeout of its own counts", () => {
  tell({ content: "bad" });
  tell({ content: "good", type: "success" });
  tell({ content: "soon", timeout: 900 });
  tell({ content: "gone", type: "info", action: { label: { id: "Undo" }, run: () => undefined } });
  expect(shown().map(({ autoDismiss, timeout }) => [autoDismiss, timeout])).toEqual([
    [false, 5000],
    [true, 5000],
    [true, 900],
    [true, 20_000],
  ]);
});

test("a message is closed by its id", () => {
  const id = tell({ content: "one" });
  tell({ content: "two" });
  dismiss(id);
  expect(shown().map(({ content }) => content)).toEqual([["two"]]);
});

test("faults of fields are shown as field - message", async () => {
  await tellProblem(
    new Problem(422, {
      detail: "Invalid Request",
      validation_errors: [{ field: "email", message: "Email invalid" }],
    }),
  );
  expect(shown()[0]?.content).toEqual(["email - Email invalid"]);
});

test("that nobody was reached is told before any script could come", async () => {
  void tellProblem(new TypeError("Failed to fetch"));
  for (let turn = 0; turn < 3; turn += 1) await Promise.resolve();
  expect(shown()[0]?.content).toEqual([UNREACHABLE]);
});

test("what is ours to mend has its reference, what is refused has none", async () => {
  const told = (status: number) =>
    tellProblem(new Problem(status, { detail: "Broken", instance: "req-17" }));
  await told(503);
  expect(shown()[0]?.content).toEqual([
    expect.anything(),
    expect.objectContaining({ message: "Reference {0}", values: { 0: "req-17" } }),
  ]);
  clearAlerts();
  await tellProblem(new Problem(409, { detail: "Taken", code: "conflict", instance: "req-18" }));
  expect(shown()[0]?.content).toHaveLength(1);
});

test("an error without any text has the fallback of the specs", async () => {
  await tellProblem(new Problem(500, {}));
  expect(JSON.stringify(shown()[0]?.content)).toContain(
    "Unexpected Error. Please try again later.",
  );
});

test("how long a limit lasts is a line of its own", async () => {
  await tellProblem(new Problem(429, { code: "throttled" }, "541"));
  expect(shown()[0]?.content).toHaveLength(2);
});
