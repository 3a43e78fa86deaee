import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { dollars } from "~/shared/catalogue/money";
import { MethodChoice } from "~/shared/payments/method-choice";
import { usePaymentMethods } from "~/shared/payments/queries";
import type { PaymentChoice } from "~/shared/payments/types";
import { Unanswered } from "~/shared/payments/unanswered";
import { defaultOf } from "~/shared/payments/usable";
import { Remaining, useNow } from "~/shared/time/age";
import { Note } from "~/shared/ui/notes/note";
import { InReach } from "~/shared/ui/screens/in-reach";
import type { Payer, PurchaseLine } from "../types";
import { OVER_LIMIT_WORDS } from "../words";
import classes from "./purchase.module.css";
import { NeedsApproval } from "./purchase-approval";
import type { PurchaseRun } from "./use-purchase";

/** States in which a way to pay is chosen. */
export const PAYABLE: ReadonlySet<string> = new Set(["quoted", "declined"]);

type PurchasePaymentProps = {
  run: PurchaseRun;
  onFresh: (lines: readonly PurchaseLine[]) => void;
  freshening: boolean;
  onPay?: (payer: Payer, reason: string) => void;
  /** Within a task that has a foot of its own. */
  stacked?: boolean;
};

/** How a purchase is paid, while its figures hold. */
export function PurchasePayment(props: PurchasePaymentProps) {
  const { run, onFresh, freshening, onPay, stacked = false } = props;
  const { i18n } = useLingui();
  const { state } = run;
  const { view } = run.answer;
  const now = useNow();
  const methods = usePaymentMethods();
  const [picked, setPicked] = useState<PaymentChoice>();
  const [reason, setReason] = useState("");
  const choice = picked ?? defaultOf(methods.data, view.refused_methods);
  const over = state === "quoted" && view.expires_at !== null && Date.parse(view.expires_at) <= now;
  const free = run.sent === undefined && !freshening;
  const limited = state === "quoted" ? view.over_limit : null;
  const limitWords = limited ? OVER_LIMIT_WORDS[limited.code] : undefined;
  const asks = state === "quoted" && typeof view.approval_above === "number";
  const pays = !limited && run.can(state === "quoted" ? "CONFIRM" : "PAY");
  const covered = state === "quoted" && !onPay && view.final_charge === 0;
  const total = dollars(i18n, view.final_charge);
  if (!view.lines.some(({ status }) => status !== "refused"))
    return (
      <Note
        tone="fail"
        action={
          <Link
            to="/subscriptions/plans"
            search={{ device: view.lines.map(({ device_key }) => device_key) }}
            className={classes.way}
          >
            <Trans>Choose other plans</Trans>
          </Link>
        }
      >
        <Trans>None of these plans can be bought as they are.</Trans>
      </Note>
    );
  if (over)
    return (
      <>
        <Note tone="wait">
          <Trans>The price was valid for 15 minutes. It is worked out again before you pay.</Trans>
        </Note>
        <Button size="lg" loading={freshening} onClick={() => onFresh(view.lines)}>
          <Trans>Work out the price again</Trans>
        </Button>
      </>
    );
  const pay = () => {
    const payer = covered ? undefined : payerOf(choice);
    const said = reason.trim();
    if (!payer && !covered) return;
    if (payer && state !== "quoted") run.ask({ type: "PAY", payer });
    else if (payer && onPay) onPay(payer, said);
    else run.ask({ type: "CONFIRM", quoteHash: view.quote_hash ?? "", payer, reason: said });
  };
  const words = asks ? <Trans>Ask for approval: {total}</Trans> : <Trans>Pay {total}</Trans>;
  const button = (
    <Button size="lg" disabled={!(choice || covered) || !pays} loading={!free} onClick={pay}>
      {covered && !asks ? <Trans>Confirm: there is nothing to pay</Trans> : words}
    </Button>
  );
  return (
    <>
      {covered ? null : (
        <MethodChoice
          value={choice}
          onChange={setPicked}
          amount={view.final_charge}
          refused={view.refused_methods}
          kinds={["CARD", "BANK_ACCOUNT"]}
          disabled={!free}
        />
      )}
      {limited ? <Note tone="fail">{limitWords ? i18n._(limitWords) : limited.detail}</Note> : null}
      {asks && !limited ? (
        <NeedsApproval value={reason} onChange={setReason} disabled={!free} />
      ) : null}
      {stacked ? button : <InReach>{button}</InReach>}
      {view.expires_at ? (
        <p className={classes.soft}>
          <Trans>
            This price is valid for another <Remaining until={view.expires_at} />
          </Trans>
        </p>
      ) : null}
      <CancelPurchase run={run} disabled={freshening} />
    </>
  );
}

/** Ends it before it is paid. */
export function CancelPurchase({ run, disabled }: { run: PurchaseRun; disabled?: boolean }) {
  return (
    <Button
      size="md"
      variant="subtle"
      disabled={disabled || !run.can("CANCEL")}
      onClick={() => run.ask({ type: "CANCEL" })}
    >
      <Trans>Cancel the purchase</Trans>
    </Button>
  );
}

/** States in which only the payment provider is waited for. */
export const UNANSWERED: ReadonlySet<string> = new Set(["charging", "needs_attention"]);

/** A charge that is waited for too long gives way to another one, or to none. */
export function UnansweredPayment(props: PurchasePaymentProps) {
  return (
    <Unanswered run={props.run} beside={<CancelPurchase run={props.run} />}>
      <PurchasePayment {...props} />
    </Unanswered>
  );
}

/** Plans are paid by a saved method; nothing else is offered. */
function payerOf(choice: PaymentChoice | undefined): Payer | undefined {
  if (!choice?.method_id || (choice.type !== "CARD" && choice.type !== "BANK_ACCOUNT")) return;
  return { type: choice.type, method_id: choice.method_id };
}
