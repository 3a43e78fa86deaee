import { expect, test } from "vitest";
import { receiptsAddress } from "./receipts-address";

test("an address that was typed by hand never fails", () => {
  const typed = { page: "many", limit: "1000", ok: "yes", by: "colour", value: "x", more: "y" };
  expect(receiptsAddress(typed)).toEqual({ value: "x" });
  expect(receiptsAddress({})).toEqual({});
});

test("what the list is narrowed by stands in it", () => {
  expect(receiptsAddress({ page: "2", limit: "30", ok: "false", by: "gst_hst" })).toEqual({
    page: 2,
    limit: 30,
    ok: "false",
    by: "gst_hst",
  });
});
