import { expect, test } from "vitest";
import { having, listOf, number, oneOf, optional, text } from "./stored-shape";

type Kept = { kind: "a" | "b"; name: string; count?: number | undefined; among: string[] };
const kept = having<Kept>({
  kind: oneOf("a", "b"),
  name: text,
  count: optional(number),
  among: listOf(text),
});
const WHOLE = { kind: "a", name: "", count: 1, among: ["x"] };

test.each([WHOLE, { ...WHOLE, count: undefined }, { ...WHOLE, among: [], more: true }])(
  "what was kept is known again: %o",
  (found) => expect(kept(found)).toBe(true),
);

test.each([
  null,
  "a",
  [],
  {},
  { ...WHOLE, kind: "c" },
  { ...WHOLE, name: 7 },
  { ...WHOLE, count: null },
  { ...WHOLE, count: Number.NaN },
  { ...WHOLE, among: ["x", 1] },
  { ...WHOLE, among: { 0: "x", length: 1 } },
])("what somebody made of it is not: %o", (found) => expect(kept(found)).toBe(false));
