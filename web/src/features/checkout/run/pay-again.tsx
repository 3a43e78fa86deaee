import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useState } from "react";
import { MethodChoice } from "~/shared/payments/method-choice";
import type { PaymentChoice } from "~/shared/payments/types";
import classes from "../checkout.module.css";
import type { PlacementRun } from "../use-placement";

/** Another way to pay for the same order: all else stays as it was. */
export function PayAgain({ run }: { run: PlacementRun }) {
  const { view } = run.answer;
  const [payment, setPayment] = useState<PaymentChoice>();
  const pay = () => payment && run.ask({ type: "PAY", payment });
  return (
    <div className={classes.again}>
      <MethodChoice
        value={payment}
        onChange={setPayment}
        amount={view.total}
        refused={view.refused_methods}
        disabled={run.sent !== undefined}
        legend={<Trans>Choose another payment method</Trans>}
      />
      <Button
        size="lg"
        disabled={!payment || !run.can("CHOOSE_PAYMENT")}
        loading={run.sent === "PAY"}
        onClick={pay}
      >
        <Trans>Pay and finish</Trans>
      </Button>
    </div>
  );
}
