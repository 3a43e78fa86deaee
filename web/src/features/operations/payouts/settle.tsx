import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Textarea } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { below } from "~/shared/api/operation";
import { useSend } from "~/shared/api/send";
import { dollars } from "~/shared/catalogue/money";
import { useFields } from "~/shared/forms/fields";
import { Dialog } from "~/shared/ui/dialog";
import { ProblemNote } from "~/shared/ui/note";
import classes from "../operations.module.css";
import { type Payout, settlePayout } from "./queries";

const SETTLED: readonly Payout["state"][] = ["refused", "returned"];

/** A payout that was paid in another way is taken off the list, with a word of how. */
export function SettleOtherwise({ of }: { of: Payout }) {
  const { t, i18n } = useLingui();
  const queries = useQueryClient();
  const form = useFields({ note: { rules: ["required"] } });
  const [asking, setAsking] = useState(false);
  const { busy, problem, forget, send } = useSend();
  if (!SETTLED.includes(of.state)) return null;
  const { dealer, month } = of;
  const amount = dollars(i18n, of.amount);

  function close() {
    setAsking(false);
    forget();
    form.reset();
  }

  async function settle({ note }: typeof form.texts) {
    const refused = await send(
      async (key) => {
        await settlePayout(of, note, key);
        await queries.invalidateQueries({ predicate: below("/v1/payouts") });
      },
      [of.dealer_id, of.month, note],
    );
    if (refused) return form.refuse(refused);
    close();
  }

  return (
    <>
      <Button
        variant="default"
        aria-label={t`Settled otherwise: ${dealer} ${month}`}
        onClick={() => setAsking(true)}
      >
        <Trans>Settled otherwise</Trans>
      </Button>
      {asking ? (
        <Dialog onClose={close} busy={busy} title={t`Settled otherwise`}>
          <form className={classes.settle} onSubmit={form.submit(settle)} noValidate>
            <p>
              <Trans>
                {amount} for {month} is not sent to {dealer} any more, and leaves the list.
              </Trans>
            </p>
            <Textarea
              size="md"
              autosize
              minRows={2}
              maxLength={500}
              label={t`How it was settled`}
              {...form.field("note")}
            />
            <ProblemNote problem={problem} besideFields />
            <Button size="md" variant="default" onClick={close}>
              <Trans>Cancel</Trans>
            </Button>
            <Button type="submit" size="md" loading={busy}>
              <Trans>Take it off the list</Trans>
            </Button>
          </form>
        </Dialog>
      ) : null}
    </>
  );
}
