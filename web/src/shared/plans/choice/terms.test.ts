import { expect, test } from "vitest";
import { aPlan } from "~/testing/shop/a-plan";
import { atTerm, savedBy, termsOf } from "./terms";

const PREMIUM = aPlan();
const BASIC = aPlan({
  slug: "basic_prepaid",
  terms: [
    { id: "b-1", term: "month_to_month", months: 1, list_amount: 10, amount: 10 },
    { id: "b-2", term: "2_year", months: 24, list_amount: 120, amount: 120 },
  ],
});

test("the terms of all plans stand once, shortest first", () => {
  expect(termsOf([BASIC, PREMIUM])).toEqual(["month_to_month", "1_year", "2_year"]);
});

test("a term says what it saves of as many single months", () => {
  expect(savedBy("1_year", [PREMIUM])).toBe(14); // 76.42 of 89.88
  expect(savedBy("2_year", [BASIC])).toBe(50);
  expect(savedBy("month_to_month", [PREMIUM])).toBe(0);
  expect(savedBy("6_year", [PREMIUM])).toBe(0);
});

test("a plan that is not sold for a term shows the nearest shorter one", () => {
  expect(atTerm(BASIC, "2_year")?.id).toBe("b-2");
  expect(atTerm(BASIC, "1_year")?.id).toBe("b-1");
  expect(atTerm(BASIC, "6_year")?.id).toBe("b-2");
  expect(atTerm({ ...BASIC, terms: BASIC.terms.slice(1) }, "1_year")?.id).toBe("b-2");
});
