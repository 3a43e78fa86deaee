import { expect, test } from "vitest";
import { welcomeSchema } from "./send-welcome";

test.each([
  ["owner@example.com", true],
  [" owner@example.com ", true],
  ["owner@example", false],
  ["owner@example.com.com", false],
  [".owner@example.com", false],
  ["owner@exam_ple.com", false],
  ["", false],
])("e-mail %s is valid: %s", (email, valid) => {
  expect(welcomeSchema.safeParse({ email }).success).toBe(valid);
});
