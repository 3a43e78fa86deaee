import { expect, test } from "vitest";
import { parseSearch, stringifySearch } from "./search";

test.each([
  ["?s=12", { s: "12" }],
  ["?s=662E41", { s: "662E41" }],
  ["?b=one&b=two", { b: ["one", "two"] }],
  ["?id=12345678901234567890", { id: "12345678901234567890" }],
  ["", {}],
])("%s keeps its text both ways", (text, search) => {
  expect(parseSearch(text)).toEqual(search);
  expect(stringifySearch(search)).toBe(text);
});

test("what is undefined or empty leaves no trace", () => {
  expect(stringifySearch({ scope: undefined, next: "", b: [] })).toBe("");
});
