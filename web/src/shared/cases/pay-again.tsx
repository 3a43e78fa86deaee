import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useSend } from "~/shared/api/send";
import { dollars } from "~/shared/catalogue/money";
import { MethodChoice } from "~/shared/payments/method-choice";
import type { PaymentChoice } from "~/shared/payments/types";
import { ProblemNote } from "~/shared/ui/notes/note";
import { type BuyersCase, isOfCases, payCase } from "./queries";

/** Pays what a bank returned by another saved method. */
export function PayAgain({ of }: { of: BuyersCase }) {
  const { i18n } = useLingui();
  const cache = useQueryClient();
  const [choice, setChoice] = useState<PaymentChoice>();
  const { busy, problem, send } = useSend();
  const owed = dollars(i18n, of.owed);
  const method = choice?.method_id;

  function pay() {
    if (!method) return;
    void send(
      async (key) => {
        await payCase(of.id, method, key);
        await cache.invalidateQueries({ predicate: isOfCases });
      },
      [of.id, of.updated_at, method],
    );
  }

  return (
    <>
      <MethodChoice
        value={choice}
        onChange={setChoice}
        amount={of.owed}
        kinds={["CARD", "BANK_ACCOUNT"]}
        disabled={busy}
      />
      <ProblemNote problem={problem} />
      <Button size="md" loading={busy} disabled={!method} onClick={pay}>
        <Trans>Pay {owed}</Trans>
      </Button>
    </>
  );
}
