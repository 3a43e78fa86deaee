import { expect, test } from "vitest";
import { addressOf, keepPageSize, pageSizeOf, searchAddress, wantedIn } from "./address";

test.each([
  [{}, {}],
  [
    { s: "starter", p: "3", so: "name-asc" },
    { s: "starter", p: 3, so: "name-asc" },
  ],
  [{ b: "compustar" }, { b: ["compustar"] }],
  [
    { b: ["compustar", "ftx", "ftx"], c: ["rf-kit"] },
    { b: ["compustar", "ftx"], c: ["rf-kit"] },
  ],
  [{ b: ["<script>", "ftx"], so: "cheap", p: "-1", qo: "yes" }, { b: ["ftx"] }],
  [{ p: "1" }, {}],
  [{ p: "x", c: "Not A Slug" }, {}],
  [{ qo: "true" }, { qo: "true" }],
])("of %j the address keeps %j", (given, expected) => {
  const read = searchAddress(given);
  expect(JSON.parse(JSON.stringify(read))).toEqual(expected);
});

test("an address and what it asks for are the same thing said twice", () => {
  const address = {
    b: ["ftx"],
    c: ["rf-kit"],
    p: 4,
    s: "lcd kit",
    so: "price-asc" as const,
    v: "list" as const,
    in: "true" as const,
  };
  expect(addressOf(wantedIn(address))).toEqual(address);
  expect(JSON.stringify(addressOf(wantedIn({})))).toBe("{}");
});

test("the best match needs a term to match", () => {
  expect(wantedIn({ s: "siren", so: "best-match" }).sort).toBe("best-match");
  expect(wantedIn({ so: "best-match" }).sort).toBe("price-desc");
});

test("the page size is kept for each user, and only one that is offered", () => {
  keepPageSize("ann", 40);
  expect(pageSizeOf("ann")).toBe(40);
  expect(pageSizeOf("bob")).toBe(8);
  keepPageSize("ann", 41);
  expect(pageSizeOf("ann")).toBe(8);
});
