import { Trans, useLingui } from "@lingui/react/macro";
import { Skeleton, Textarea, TextInput } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { problemOf } from "~/shared/api/errors";
import type { Cart } from "~/shared/cart/queries";
import { useFields } from "~/shared/forms/fields";
import { AccountBox } from "~/shared/partners/account-box";
import { MethodChoice } from "~/shared/payments/method-choice";
import { usePaymentMethods } from "~/shared/payments/queries";
import type { PaymentChoice, PaymentMethods } from "~/shared/payments/types";
import { defaultOf, isUsable } from "~/shared/payments/usable";
import { useSession, workOf } from "~/shared/session/session";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "../checkout.module.css";
import { Coupons } from "../parts/coupons";
import { LastTime } from "../parts/last-time";
import { Summary } from "../parts/summary";
import { quoteQuery } from "../queries";
import { At } from "../run/at";
import type { PlacementAnswer } from "../types";
import { useAgreed } from "../use-agreed";
import { usePlacing } from "../use-placing";
import { Billing } from "./billing";
import { enterCoupon, payBy } from "./draft";
import { FitWarning } from "./fit-warning";
import { Shipping } from "./shipping";
import { useDraft } from "./use-draft";

/** What an order needs, and what it comes to. Each choice is kept with the cart at once. */
export function CheckoutForm({ cart, last }: { cart: Cart; last: PlacementAnswer | null }) {
  const { t } = useLingui();
  const draft = useDraft(cart.token);
  const placing = usePlacing(cart.token);
  const business = workOf(useSession())?.business;
  const quote = useQuery({
    ...quoteQuery(cart.token, cart.rev),
    placeholderData: keepPreviousData,
  });
  const shown = quote.data;
  const isFresh = !quote.isPlaceholderData && !draft.busy;
  const { changes, agree } = useAgreed({
    shown,
    isFresh,
    rev: cart.rev,
    ownRev: draft.rev,
  });
  const form = useFields({
    po: {
      rules: business?.po_required ? ["required", "po_number"] : ["po_number"],
      initial: cart.poNumber ?? "",
    },
    reason: { rules: [] },
  });
  const [payment, pay] = usePayment(cart, (choice) => void draft.choose(payBy(choice)));

  function submit(texts: typeof form.texts) {
    if (!shown || changes || !payment) return;
    void placing.place({ payment, po: texts.po, reason: texts.reason.trim(), agreed: shown });
  }

  return (
    <>
      <At total={shown?.total} />
      <Heading>
        <Trans>Purchase Products</Trans>
      </Heading>
      <AccountBox />
      {last ? <LastTime last={last} /> : null}
      <form className={classes.columns} onSubmit={form.submit(submit)} noValidate>
        <div className={classes.main}>
          <Shipping cart={cart} draft={draft} />
          <Billing cart={cart} draft={draft} />
          <Panel className={classes.part}>
            <h2>
              <Trans>PO number</Trans>
            </h2>
            <TextInput
              size="md"
              label={business?.po_required ? t`PO number` : t`PO number (optional)`}
              maxLength={40}
              autoComplete="off"
              disabled={placing.busy}
              {...form.field("po")}
            />
            {placing.repeated ? (
              <Note tone="wait">
                <Trans>
                  Order {placing.repeated} has this PO number already. Place the order again to keep
                  it.
                </Trans>
              </Note>
            ) : null}
          </Panel>
          <Panel className={classes.part}>
            <h2>
              <Trans>Payment</Trans>
            </h2>
            <MethodChoice
              value={payment}
              onChange={pay}
              amount={shown?.total}
              disabled={placing.busy}
            />
          </Panel>
        </div>
        <div className={classes.side}>
          <Coupons
            coupons={cart.coupons}
            disabled={placing.busy || draft.busy}
            onEnter={(code) => draft.choose(enterCoupon(code))}
          />
          <FitWarning cart={cart} />
          {shown?.needs_approval ? (
            <Panel className={classes.part}>
              <Note tone="wait">
                <Trans>
                  An owner of your business must approve this order before it is placed.
                </Trans>
              </Note>
              <Textarea
                size="md"
                rows={2}
                maxLength={500}
                label={t`Reason (for the owner)`}
                disabled={placing.busy}
                {...form.field("reason")}
              />
            </Panel>
          ) : null}
          {shown ? (
            <Summary
              quote={shown}
              changes={changes}
              isFresh={isFresh}
              onAgree={() => {
                agree();
                placing.forget();
              }}
              isPaid={payment !== undefined}
              busy={placing.busy || draft.busy}
              placing={placing.busy}
              problem={placing.problem}
            />
          ) : quote.isError ? (
            <ProblemNote problem={problemOf(quote.error)} onRetry={() => void quote.refetch()} />
          ) : (
            <Skeleton height={320} radius="lg" />
          )}
        </div>
      </form>
    </>
  );
}

/** What was chosen, on this page or before; else the default card or bank account. Where what was chosen cannot pay any more,
 * the default is written in its place: the server charges what was written last. */
function usePayment(cart: Cart, write: (choice: PaymentChoice) => void) {
  const { data: methods, isSuccess, isFetching } = usePaymentMethods();
  const [chosen, setChosen] = useState<PaymentChoice | undefined>(() => {
    const { type, methodId } = cart.payment ?? {};
    return type ? { type, method_id: methodId ?? null } : undefined;
  });
  const main = defaultOf(methods);
  const gone = chosen && methods && !pays(chosen, methods);

  function choose(choice: PaymentChoice) {
    setChosen(choice);
    write(choice);
  }

  useEffect(() => {
    // A card that was just added may not be among those that are known yet.
    if (gone && main && isSuccess && !isFetching) choose(main);
  });

  return [gone ? main : (chosen ?? main), choose] as const;
}

function pays({ method_id }: PaymentChoice, { results }: PaymentMethods): boolean {
  return method_id === null || results.some((one) => one.id === method_id && isUsable(one));
}
