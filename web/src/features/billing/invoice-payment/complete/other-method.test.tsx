import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { aFlowOnScreen } from "~/testing/runs/a-flow-on-screen";
import { aPayment } from "~/testing/shop/an-invoice-payment";
import { show } from "~/testing/show";
import { INVOICE_PAYMENT } from "../flow";
import { CancelPayment, UnansweredCharge } from "./other-method";
import { Said } from "./said";

test.each(["charging", "needs_attention"])(
  "a charge that is %s for long can be left for another way, or cancelled",
  async (state) => {
    const { run, asked } = aFlowOnScreen(aPayment(2, state, 6_000), INVOICE_PAYMENT);
    show(<UnansweredCharge run={run} />);
    expect(screen.getByText(/you are not charged twice/)).toBeVisible();
    expect(screen.getByRole("button", { name: "Pay in another way" })).toBeEnabled();
    await userEvent.click(screen.getByRole("button", { name: "Cancel the payment" }));
    expect(asked).toEqual([{ type: "CANCEL" }]);
  },
);

test("a charge that has just begun offers nothing", () => {
  const { run } = aFlowOnScreen(aPayment(2, "charging", 1_000), INVOICE_PAYMENT);
  const { container } = show(<UnansweredCharge run={run} />);
  expect(container).not.toHaveTextContent("another way");
});

test("a payment of before waits for its provider", () => {
  expect(aPayment(1, "charging", 6_000).allowed).toEqual([]);
});

test("who does not confirm it at the bank can cancel", async () => {
  const { run, asked } = aFlowOnScreen(aPayment(2, "action_required", 0), INVOICE_PAYMENT);
  show(<CancelPayment run={run} />);
  await userEvent.click(screen.getByRole("button", { name: "Cancel the payment" }));
  expect(asked).toEqual([{ type: "CANCEL" }]);
});

test("that nothing was charged is not said where nobody knows it", () => {
  const detail = "The provider did not answer. Whatever it took is paid back.";
  const payment = aPayment(2, "declined", 0);
  const view = { ...payment.view, error: { code: "PAYMENT_ERROR", detail } };
  const { container } = show(<Said payment={{ ...payment, view }} />);
  expect(container).toHaveTextContent(`${detail} Choose another way to pay.`);
  expect(container).not.toHaveTextContent("Nothing was charged");
});

test("what is left of an earlier charge is told after another one was declined", () => {
  const left = "Your bank is on its way with the money. Whatever arrives is paid back.";
  const payment = aPayment(2, "cancelled", 0);
  const { container } = show(<Said payment={{ ...payment, view: { ...payment.view, left } }} />);
  expect(container).toHaveTextContent(left);
  expect(container).not.toHaveTextContent("Nothing was charged");
});
