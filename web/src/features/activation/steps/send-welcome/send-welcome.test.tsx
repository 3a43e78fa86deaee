import { expect, test } from "vitest";
import { welcomeSchema } from "./send-welcome";

test.each([
  ["owner@example.com", true],
  [" owner@example.com ", true],
  ["owner@example", false],
  ["", false],
])("e-mail %s is valid: %s", (email, valid) => {
  expect(welcomeSchema.safeParse({ email }).success).toBe(valid);
});
