import { expect, test } from "vitest";
import * as z from "zod/mini";
import { aPerson } from "~/testing/a-person";
import { begin, end } from "./session/session";
import { storedList } from "./stored-list";

const names = storedList("recent_product_searches", z.object({ name: z.string() }));

test("each person has a list of their own", () => {
  names.set([{ name: "guest's" }]);
  begin(aPerson({ id: "u7" }), "t");
  expect(names.get()).toEqual([]);
  names.set([{ name: "u7's" }]);
  end();
  expect(names.get()).toEqual([{ name: "guest's" }]);
});

test.each(["{", "{}", '[{"name":7}]'])("what somebody made of it counts as none: %s", (text) => {
  localStorage.setItem("recent_product_searches:guest", text);
  expect(names.get()).toEqual([]);
});

test("the same list is the same object, so that who reads it need not draw anew", () => {
  names.set([{ name: "one" }]);
  expect(names.get()).toBe(names.get());
});
