import { expect, test } from "vitest";
import { screenOf, titleOf } from "./routes";

test("the search page is titled Quick Order while that is what it shows", () => {
  const screen = screenOf("/search");
  if (!screen) throw new Error("not a screen");
  expect(titleOf(screen, { qo: "true" }).message).toBe("Quick Order");
  expect(titleOf(screen, { qo: "false" }).message).toBe("Products");
  expect(titleOf(screen, { s: "ftx" }).message).toBe("Products");
});
