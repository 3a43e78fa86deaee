import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useState } from "react";
import { dollars } from "~/shared/catalogue/money";
import { MethodChoice } from "~/shared/payments/method-choice";
import type { PaymentChoice } from "~/shared/payments/types";
import { Unanswered } from "~/shared/payments/unanswered";
import { Remaining } from "~/shared/time/age";
import { InReach } from "~/shared/ui/screens/in-reach";
import type { InvoicePaymentRun } from "../flow";
import { payerOf } from "../payer";
import classes from "../payment.module.css";

/** Another way to pay the same, or none. */
export function OtherMethod({ run }: { run: InvoicePaymentRun }) {
  const { i18n } = useLingui();
  const [choice, setChoice] = useState<PaymentChoice>();
  const { view } = run.answer;
  const payer = payerOf(choice);
  const total = dollars(i18n, view.charged);
  const isSending = run.sent !== undefined;
  return (
    <>
      <MethodChoice
        value={choice}
        onChange={setChoice}
        amount={view.charged}
        refused={view.refused_methods}
        kinds={["CARD", "BANK_ACCOUNT"]}
        disabled={isSending}
      />
      <InReach>
        <Button
          size="lg"
          disabled={!payer || !run.can("PAY")}
          loading={run.sent === "PAY"}
          onClick={() => payer && run.ask({ type: "PAY", payer })}
        >
          <Trans>Pay {total}</Trans>
        </Button>
      </InReach>
      <CancelPayment run={run} />
      {view.deadline ? (
        <p className={classes.soft}>
          <Trans>
            The invoices are held for another <Remaining until={view.deadline} />
          </Trans>
        </p>
      ) : null}
    </>
  );
}

/** Ends it before it is paid. */
export function CancelPayment({ run }: { run: InvoicePaymentRun }) {
  return (
    <Button
      size="md"
      variant="subtle"
      disabled={!run.can("CANCEL")}
      onClick={() => run.ask({ type: "CANCEL" })}
    >
      <Trans>Cancel the payment</Trans>
    </Button>
  );
}

/** A charge that is waited for too long gives way to another one, or to none. */
export function UnansweredCharge({ run }: { run: InvoicePaymentRun }) {
  return (
    <Unanswered run={run} beside={<CancelPayment run={run} />}>
      <OtherMethod run={run} />
    </Unanswered>
  );
}
