import { expect, test } from "vitest";
import { day, oneNumberOf, oneOf, query, text, texts, whole } from "./query";

const read = query({
  term: text(),
  slug: text(/^[a-z]+$/),
  device: texts,
  shown: oneOf(["open", "ended"]),
  p: whole(2, 10),
  rows: oneNumberOf([10, 60]),
  from: day,
});

test("what an address may hold is kept, numbers as numbers", () => {
  const address = { term: "", slug: "abc", device: ["A", "B"], shown: "open", from: "2028-02-29" };
  expect(read({ ...address, p: "3", rows: "60" })).toEqual({ ...address, p: 3, rows: 60 });
  expect(read({ p: 10, rows: 10, device: "A" })).toEqual({ p: 10, rows: 10, device: "A" });
});

test("what it may not hold is dropped, and so is what nobody asks for", () => {
  const read_ = read({ term: 7, slug: "a1", device: ["A", 1], shown: "eaten", from: "2026-02-30" });
  expect(read_).toEqual({});
  for (const p of ["1", 11, "2.5", "", " ", "x", null, true, [3]]) expect(read({ p })).toEqual({});
  expect(read({ rows: 11, from: "yesterday", other: "x" })).toEqual({});
});
