import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { anInvoice } from "~/testing/shop/an-invoice";
import { showPage } from "~/testing/show";
import { Figures } from "./figures";

const totals = () => screen.getByRole("region", { name: "Totals" }).textContent;

test("the first discount has its last day, and later ones are not granted here", async () => {
  await showPage(<Figures invoice={anInvoice()} />);
  expect(totals()).toContain("Discount for paying now-$2.00");
  expect(totals()).toContain("To pay$100.00");
  expect(totals()).toContain("within 10 days2%, until the end of Nov 30, 2026");
  expect(totals()).toContain("within 20 days1%, not granted here");
});

test("a coupon stands between what the lines come to and the rest", async () => {
  const coupon = { code: "SPRING", amount: { amount: 5, currency: "USD" as const } };
  const subtotalPrice = { amount: 85, currency: "USD" as const };
  await showPage(<Figures invoice={anInvoice({ coupon, subtotalPrice })} />);
  expect(totals()).toContain("Subtotal$90.00Coupon SPRING-$5.00Shipping$5.00");
});

test("it leads to its order and names its shipment, and an order that was not placed here", async () => {
  const { unmount } = await showPage(<Figures invoice={anInvoice()} />);
  expect(screen.getByRole("link", { name: "T-100001" }).getAttribute("href")).toBe("/order/1");
  expect(totals()).toContain("ShipmentSH-1");
  unmount();
  await showPage(<Figures invoice={anInvoice({ orderId: null })} />);
  expect(screen.queryByRole("link")).toBeNull();
  expect(totals()).toContain("OrderT-100001");
});

test("what is settled has nothing to pay and no discount", async () => {
  const none = { amount: 0, currency: "USD" as const };
  const paid = { isPaid: true, discount: none, payoffAmount: none, early_pay_discount_details: [] };
  await showPage(<Figures invoice={anInvoice(paid)} />);
  expect(totals()).toContain("To pay$0.00");
  expect(totals()).not.toMatch(/Discount|Early payment/);
});
