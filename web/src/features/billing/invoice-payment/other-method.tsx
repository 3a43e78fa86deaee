import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useState } from "react";
import { dollars } from "~/shared/catalogue/money";
import { MethodChoice } from "~/shared/payments/method-choice";
import { OtherWay } from "~/shared/payments/other-way";
import type { PaymentChoice } from "~/shared/payments/types";
import { Remaining, useNow } from "~/shared/time/age";
import { InReach } from "~/shared/ui/in-reach";
import type { InvoicePaymentRun } from "./flow";
import { payerOf } from "./payer";
import classes from "./payment.module.css";

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

/** How long a charge may take before another way to pay is offered. */
const PATIENCE_MS = 5000;

/** A charge of which nobody tells what becomes: nobody has to wait for it. */
export function Unanswered({ run }: { run: InvoicePaymentRun }) {
  const now = useNow();
  const since = run.answer.view.notes_at[run.state];
  if (!since || now - Date.parse(since) < PATIENCE_MS) return null;
  return (
    <OtherWay
      said={
        <p className={classes.soft}>
          <Trans>
            The payment provider does not answer. You can pay in another way, or cancel; you are not
            charged twice.
          </Trans>
        </p>
      }
      beside={<CancelPayment run={run} />}
    >
      <OtherMethod run={run} />
    </OtherWay>
  );
}
