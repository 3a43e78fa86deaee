import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";
import { show } from "~/testing/show";
import { Amounts } from "./amounts-table";

const INVOICE = {
  number: "INV-1",
  balance: 100,
  payoff: 98,
  discount: 2,
  discount_until: null,
  due_date: "2026-12-01",
  allocation: null,
  problem: null,
};

function Chosen() {
  const [amounts, setAmounts] = useState<ReadonlyMap<string, number>>(new Map());
  return (
    <Amounts
      invoices={[INVOICE]}
      amounts={amounts}
      onAmount={(number, amount) => setAmounts(new Map(amounts).set(number, amount))}
      onFault={() => undefined}
      onTakeOut={() => undefined}
    />
  );
}

test("Enter takes the amount and stays in its field", async () => {
  show(<Chosen />);
  const field = () => screen.getByRole("textbox", { name: "Amount for INV-1" });
  await userEvent.clear(field());
  await userEvent.type(field(), "120{Enter}");
  expect(field()).toHaveValue("100.00");
  expect(field()).toHaveFocus();
});

test.each([
  ["", "Required field"],
  ["-5", "Must be an amount"],
  ["1.234", "Must be an amount"],
])("%j is no amount to pay: %s", async (typed, fault) => {
  show(<Chosen />);
  const field = screen.getByRole("textbox", { name: "Amount for INV-1" });
  await userEvent.clear(field);
  if (typed) await userEvent.type(field, typed);
  await userEvent.tab();
  expect(await screen.findByText(fault)).toBeVisible();
});
