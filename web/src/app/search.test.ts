import { expect, test } from "vitest";
import { parseSearch, stringifySearch } from "./search";

test.each([
  ["?s=12", { s: "12" }],
  ["?s=662E41", { s: "662E41" }],
  ["?b=one&b=two", { b: ["one", "two"] }],
  ["?id=12345678901234567890", { id: "12345678901234567890" }],
  ["?s=remote%20start", { s: "remote start" }],
  ["?s=1%2B1", { s: "1+1" }],
  ["?next=%2Fsearch%3Fs%3Dremote%2520start", { next: "/search?s=remote%20start" }],
  ["", {}],
])("%s keeps its text both ways", (text, search) => {
  expect(parseSearch(text)).toEqual(search);
  expect(stringifySearch(search)).toBe(text);
});

test("what is undefined or empty leaves no trace", () => {
  expect(stringifySearch({ scope: undefined, next: "", b: [] })).toBe("");
});
