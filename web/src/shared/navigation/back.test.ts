import { expect, test } from "vitest";
import { backFrom, storedBack, visited } from "./back";
import { type Crumb, trail } from "./routes";

const crumb = (to: string): Crumb => ({ to, label: { id: to, message: to } });

test.each([
  ["/wiring", [crumb("/wiring")], undefined, { kind: "screen", to: "/wiring" }],
  [
    "/wiring/print",
    [crumb("/wiring"), crumb("/wiring/print")],
    undefined,
    { kind: "screen", to: "/wiring" },
  ],
  ["/activation/device", trail("/activation/device"), "/", { kind: "step" }],
  [
    "/activation/select-activation-type",
    trail("/activation/select-activation-type"),
    "/",
    { kind: "screen", to: "/activation" },
  ],
  ["/terms", trail("/terms"), "/shipping", { kind: "screen", to: "/shipping" }],
  ["/terms", trail("/terms"), "/terms", { kind: "history" }],
  ["/terms", trail("/terms"), undefined, { kind: "history" }],
])("Back from %s", (path, crumbs, stored, expected) => {
  expect(backFrom(path, crumbs, stored)).toEqual(expected);
});

test("the last two routes are kept, and a repeated one counts once", () => {
  visited("/a");
  visited("/b");
  visited("/b");
  expect(storedBack()).toBe("/a");
  visited("/c");
  expect(storedBack()).toBe("/b");
});
