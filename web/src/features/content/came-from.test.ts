import { expect, test } from "vitest";
import { cameFrom } from "./came-from";

test.each([
  ["/activation/device", { id: "1", step: "check-firmware" }, "/activation/device?id=1"],
  ["/set-password", { token: "secret" }, "/set-password"],
])("of %s the address is told with its id alone", (path, search, told) => {
  expect(cameFrom({ path, search, by: 1 })).toBe(told);
});

test("nothing is told of no page", () => {
  expect(cameFrom(undefined)).toBe("");
});
