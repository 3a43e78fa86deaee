import { expect, test } from "vitest";
import { addressOf, type OrdersAddress, ordersAddress, wantedIn } from "./address";

const read: (search: Record<string, unknown>) => OrdersAddress = ordersAddress;

test("an address without anything asks for the newest ten", () => {
  expect(wantedIn(read({}))).toEqual({
    term: "",
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
