import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { showPage } from "~/testing/show";
import { SettledTable } from "./settled";

const amount = { amount: 98, currency: "USD" as const };

test("a payment that was made here leads to its page, a cheque nowhere", async () => {
  const settled = [
    { date: "2026-11-20", kind: "payment", number: "a1b2:INV-1", amount },
    { date: "2026-11-21", kind: "payment", number: "CHEQUE-7", amount },
    { date: "2026-11-22", kind: "credit_memo", number: "CM-1", amount },
  ];
  await showPage(<SettledTable label="Payments" settled={settled} empty={null} />);
  expect(screen.getByRole("link", { name: "a1b2:INV-1" })).toHaveAttribute(
    "href",
    "/invoice-payment/complete?id=a1b2",
  );
  expect(screen.getByRole("link", { name: "CM-1" })).toHaveAttribute("href", "/credit-memo/CM-1");
  expect(screen.queryByRole("link", { name: "CHEQUE-7" })).toBeNull();
});
