import { expect, test } from "vitest";
import { pageWindow } from "./page-window";

test.each([
  [1, 0, ""],
  [1, 1, ""],
  [2, 2, "1 2"],
  [3, 5, "1 2 3 4 5"],
  [1, 6, "1 2 3 4 gap 6"],
  [3, 9, "1 2 3 4 gap 9"],
  [5, 9, "1 gap 4 5 6 gap 9"],
  [7, 9, "1 gap 6 7 8 9"],
  [9, 9, "1 gap 6 7 8 9"],
  [50, 100, "1 gap 49 50 51 gap 100"],
])("on page %i of %i the links are: %s", (present, pages, expected) => {
  expect(pageWindow(present, pages).join(" ")).toBe(expected);
});
