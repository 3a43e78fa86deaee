import { expect, test } from "vitest";
import { addressOf, documentsAddress, isNarrowed, wantedIn } from "./address";

const read = documentsAddress(["open", "paid"]);

test("an address without anything asks for the newest ten", () => {
  const wanted = wantedIn(read({}));
  expect(wanted).toMatchObject({ term: "", status: undefined, sort: "date-desc", page: 1 });
  expect(wanted.rows).toBe(10);
  expect(isNarrowed(wanted)).toBe(false);
});

test("what an address asks for is what makes it, and defaults are left out", () => {
  const address = read({
    s: "INV 7",
    status: "paid",
    from: "2026-01-01",
    to: "2026-02-28",
    so: "due-asc",
    p: "3",
    rows: "100",
  });
  expect(addressOf(wantedIn(address))).toEqual({
    s: "INV 7",
    status: "paid",
    from: "2026-01-01",
    to: "2026-02-28",
    so: "due-asc",
    p: 3,
    rows: 100,
  });
  expect(Object.values(addressOf(wantedIn(read({})))).filter(Boolean)).toEqual([]);
});

test.each([10, 30, 60, 100] as const)("a page is of %s rows where it is asked for", (rows) => {
  expect(wantedIn(read({ rows: String(rows) })).rows).toBe(rows);
});

test("unknown values are dropped, the rest is kept", () => {
  const address = read({ s: 7, status: "eaten", from: "2026-02-30", so: "price", p: 0, rows: 11 });
  expect(wantedIn(address)).toEqual(wantedIn(read({})));
  expect(wantedIn(read({ to: "yesterday", p: 2 })).page).toBe(2);
});
