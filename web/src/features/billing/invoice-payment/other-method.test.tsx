import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { aFlowOnScreen, allowedIn } from "~/testing/a-flow-on-screen";
import { show } from "~/testing/show";
import { INVOICE_PAYMENT } from "./flow";
import { CancelPayment, Unanswered } from "./other-method";
import { Said } from "./said";
import type { InvoicePaymentAnswer } from "./types";

/** A payment of 98.00 that stands in `state` for so many milliseconds. */
function aPayment(version: number, state: string, since: number): InvoicePaymentAnswer {
  const at = new Date(Date.now() - since).toISOString();
  return {
    kind: "invoice_payment",
    version,
    moved: null,
    id: "i1",
    rev: 3,
    seq: 1,
    state,
    allowed: allowedIn(`invoice_payment_v${version}`, state, ["PAY", "CANCEL"]),
    updated_at: at,
    ended: false,
    view: {
      uuid: "i1",
      version,
      partner_code: "N1001",
      lines: [],
      charged: 98,
      discount: 2,
      applied: 0,
      refunded: 0,
      currency: "USD",
      submitted_at: at,
      deadline: null,
      payment: null,
      refused_methods: [],
      error: null,
      waits_for: "portal",
      paid_by: "Ann Lee",
      acting_for: null,
      notes_at: { [state]: at },
      left: null,
    },
  };
}

test.each(["charging", "needs_attention"])(
  "a charge that is %s for long can be left for another way, or cancelled",
  async (state) => {
    const { run, asked } = aFlowOnScreen(aPayment(2, state, 6_000), INVOICE_PAYMENT);
    show(<Unanswered run={run} />);
    expect(screen.getByText(/you are not charged twice/)).toBeVisible();
    expect(screen.getByRole("button", { name: "Pay in another way" })).toBeEnabled();
    await userEvent.click(screen.getByRole("button", { name: "Cancel the payment" }));
    expect(asked).toEqual([{ type: "CANCEL" }]);
  },
);

test("a charge that has just begun offers nothing", () => {
  const { run } = aFlowOnScreen(aPayment(2, "charging", 1_000), INVOICE_PAYMENT);
  const { container } = show(<Unanswered run={run} />);
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
