import { expect, test } from "vitest";
import type { CommandRow } from "../types";
import { failedTest } from "./failed";

const row = (id: string, command: string, state: CommandRow["state"]) =>
  ({ id, command, state }) as CommandRow;

test.each([
  ["nothing was sent", [], undefined],
  ["it waits", [row("1", "arm", "sent")], undefined],
  ["it timed out", [row("1", "arm", "timed_out")], "1"],
  ["it was refused", [row("1", "arm", "refused")], "1"],
  ["it worked since", [row("1", "arm", "timed_out"), row("2", "arm", "confirmed")], undefined],
  ["it is tried again", [row("1", "arm", "timed_out"), row("2", "arm", "sent")], undefined],
  ["another one worked", [row("1", "arm", "refused"), row("2", "trunk", "confirmed")], "1"],
  ["two failed", [row("1", "arm", "refused"), row("2", "trunk", "timed_out")], "2"],
])("%s", (_, rows, id) => {
  expect(failedTest(rows)?.id).toBe(id);
});
