import { expect, test } from "vitest";
import { Problem } from "~/shared/api/errors";
import { whyNotChosen } from "./why-not-chosen";

const text = (cause: unknown) => {
  const words = whyNotChosen(cause);
  return typeof words === "string" ? words : words.message;
};

test.each([
  [new Problem(500, {}), "Unexpected error when selecting this business. Please try again later."],
  [
    new TypeError("network"),
    "Unexpected error when selecting this business. Please try again later.",
  ],
  [
    new Problem(409, { code: "no_dealer_account", detail: "x" }),
    "Business parter does not have an associated dealer account.",
  ],
  [
    new Problem(409, { code: "a_new_one", detail: "The server's own words." }),
    "The server's own words.",
  ],
])("a refusal of %s is told", (cause, expected) => {
  expect(text(cause)).toBe(expected);
});
