import { Trans } from "@lingui/react/macro";
import { Button, Skeleton } from "@mantine/core";
import { type ReactElement, type ReactNode, useState } from "react";
import { problemOf } from "~/shared/api/errors";
import { AccountBox } from "~/shared/partners/account-box";
import { CardFrame } from "~/shared/payments/card/card-frame";
import { usePaymentMethods } from "~/shared/payments/queries";
import type { PaymentMethods, SavedMethod } from "~/shared/payments/types";
import { askForBusiness } from "~/shared/session/ask-business";
import { needsBusiness, useSession } from "~/shared/session/session";
import { EmptyPart } from "~/shared/ui/lists/empty-state";
import { isLost, Note, ProblemNote } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import { Panel } from "~/shared/ui/screens/panel";
import settings from "~/shared/ui/screens/settings.module.css";
import classes from "./billing.module.css";
import { BankForm } from "./parts/bank-form";
import { Credit } from "./parts/credit";
import { Method } from "./parts/method";

/** The saved cards and bank accounts of the business that one works for. */
export function BillingScreen() {
  const mustChoose = needsBusiness(useSession());
  return (
    <div className={`${classes.page} ${settings.page}`}>
      <Heading>
        <Trans>Billing</Trans>
      </Heading>
      <AccountBox />
      {mustChoose ? (
        <Note
          tone="wait"
          action={
            <Button
              variant="default"
              size="md"
              onClick={({ currentTarget }) => askForBusiness(currentTarget)}
            >
              <Trans>Select a business</Trans>
            </Button>
          }
        >
          <Trans>Please select a business first.</Trans>
        </Note>
      ) : (
        <Methods />
      )}
    </div>
  );
}

function Methods() {
  const methods = usePaymentMethods();
  const failure = methods.isError ? (
    <ProblemNote problem={problemOf(methods.error)} onRetry={() => void methods.refetch()} />
  ) : null;
  if (isLost(methods)) return failure;
  if (!methods.data)
    return (
      <Panel aria-busy="true">
        <Skeleton height={20} width="40%" mb={20} />
        <Skeleton height={64} mb={12} />
        <Skeleton height={64} />
      </Panel>
    );
  return (
    <>
      {failure}
      <Loaded methods={methods.data} />
    </>
  );
}

function Loaded({ methods }: { methods: PaymentMethods }) {
  const { results, allowed, creditAvailable } = methods;
  const [adding, setAdding] = useState<"card" | "bank">();
  const close = () => setAdding(undefined);
  const saves = allowed.cards || allowed.bank;
  return (
    <>
      {saves ? null : (
        <Note tone="plain">
          <Trans>
            Saved cards and bank accounts are not open to you here. Owners and purchasers of the
            business manage them.
          </Trans>
        </Note>
      )}
      {allowed.cards ? (
        <Panel aria-labelledby="cards">
          <h2 id="cards">
            <Trans>Cards</Trans>
          </h2>
          <MethodList
            methods={results.filter(({ type }) => type === "CARD")}
            none={<Trans>No card is saved yet.</Trans>}
            add={
              <Button size="md" onClick={() => setAdding("card")}>
                <Trans>Add a card</Trans>
              </Button>
            }
          />
        </Panel>
      ) : null}
      {allowed.bank ? (
        <Panel aria-labelledby="bank-accounts">
          <h2 id="bank-accounts">
            <Trans>Bank accounts</Trans>
          </h2>
          <MethodList
            methods={results.filter(({ type }) => type === "BANK_ACCOUNT")}
            none={<Trans>No bank account is saved yet.</Trans>}
            add={
              <Button size="md" variant="default" onClick={() => setAdding("bank")}>
                <Trans>Add a bank account</Trans>
              </Button>
            }
          />
        </Panel>
      ) : null}
      <Credit left={creditAvailable} allowed={allowed} />
      {adding === "card" ? <CardFrame onClose={close} onAdded={close} /> : null}
      {adding === "bank" ? <BankForm onClose={close} /> : null}
    </>
  );
}

type MethodListProps = { methods: readonly SavedMethod[]; none: ReactNode; add: ReactElement };

function MethodList({ methods, none, add }: MethodListProps) {
  return (
    <EmptyPart none={none} action={add}>
      {methods.length > 0 ? (
        <ul className={classes.methods}>
          {methods.map((method) => (
            <Method key={method.id} method={method} />
          ))}
        </ul>
      ) : null}
    </EmptyPart>
  );
}
