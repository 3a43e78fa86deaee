import { expect, test } from "vitest";
import { aPerson } from "~/testing/a-person";
import { begin, end } from "./session/session";
import { storedList } from "./stored-list";
import { having, text } from "./stored-shape";

const names = storedList("recent_product_searches", having<{ name: string }>({ name: text }));

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
