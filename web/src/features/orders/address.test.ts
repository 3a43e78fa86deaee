import { expect, test } from "vitest";
import { addressOf, type OrdersAddress, ordersAddress, statusesOf, wantedIn } from "./address";

const read: (search: Record<string, unknown>) => OrdersAddress = ordersAddress;

test("an address without anything asks for the newest ten", () => {
  expect(wantedIn(read({}))).toEqual({
    term: "",
    from: undefined,
    to: undefined,
    status: undefined,
    sort: "date-desc",
    page: 1,
    rows: 10,
  });
});

test("what an address asks for is what makes it, and defaults are left out", () => {
  const address = read({ s: "PO 7", status: "shipped", so: "total-asc", p: "3", rows: "60" });
  expect(addressOf(wantedIn(address))).toEqual({
    s: "PO 7",
    status: "shipped",
    so: "total-asc",
    p: 3,
    rows: 60,
  });
  expect(Object.values(addressOf(wantedIn(read({})))).filter(Boolean)).toEqual([]);
});

test("unknown values are dropped, the rest is kept", () => {
  const address = read({ s: 7, status: "eaten", so: "price", p: "0", rows: "11" });
  expect(wantedIn(address)).toEqual(wantedIn(read({})));
  expect(wantedIn(read({ status: "eaten", p: 2 })).page).toBe(2);
});

test("a tab stands for its statuses, and days that are none are dropped", () => {
  expect(wantedIn(read({ status: "under_way", from: "2026-11-01" }))).toMatchObject({
    status: "under_way",
    from: "2026-11-01",
  });
  expect(statusesOf("under_way")).toEqual(["placed", "handed_over", "confirmed", "part_shipped"]);
  expect([statusesOf("shipped"), statusesOf(undefined)]).toEqual([["shipped"], []]);
  expect(wantedIn(read({ from: "2026-02-30", to: 7 }))).toEqual(wantedIn(read({})));
});
