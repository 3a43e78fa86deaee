import { expect, test } from "vitest";
import { cameFrom, shown } from "./came-from";

test("the page before is known with its id alone, and showing a page again changes nothing", () => {
  expect(cameFrom()).toBeUndefined();
  shown("/activation/device?id=1&step=check-firmware#secret");
  expect(cameFrom()).toBeUndefined();
  shown("/contact-us");
  shown("/contact-us");
  expect(cameFrom()).toBe("/activation/device?id=1");
  shown("/set-password?token=secret");
  shown("/contact-us");
  expect(cameFrom()).toBe("/set-password");
});
