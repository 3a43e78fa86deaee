import { expect, test } from "vitest";
import { cameFrom, shown } from "./came-from";

test("the page before is known with its id alone, whether the present one is shown yet or not", () => {
  shown("/activation/device?id=1&step=check-firmware#secret");
  expect(cameFrom("/contact-us")).toBe("/activation/device?id=1");
  shown("/contact-us");
  shown("/contact-us");
  expect(cameFrom("/contact-us")).toBe("/activation/device?id=1");
  shown("/set-password?token=secret");
  expect(cameFrom("/contact-us")).toBe("/set-password");
});
