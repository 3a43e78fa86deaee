import { expect, test } from "vitest";
import { invoicesOf } from "./invoices";

test.each([
  [null, [], []],
  ["INV-1", [], ["INV-1"]],
  ["INV-1", ["INV-1", null], ["INV-1"]],
  ["INV-1", ["INV-2", "INV-1"], ["INV-1", "INV-2"]],
])("an order with invoice %s and those of its shipments %j has %j", (whole, parts, expected) => {
  const shipments = parts.map((invoiceNumber) => ({ invoiceNumber }));
  expect(invoicesOf({ invoiceNumber: whole, shipments })).toEqual(expected);
});
