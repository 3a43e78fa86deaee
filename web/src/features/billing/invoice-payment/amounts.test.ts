import { expect, it } from "vitest";
import { upTo, written } from "./amounts";

it("stands in its field with its cents", () => {
  expect(written(98.5)).toBe("98.50");
});

it("never goes above what is open", () => {
  expect(upTo(100, 100.01)).toBe(100);
  expect(upTo(100, 40)).toBe(40);
});
