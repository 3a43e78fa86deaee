import { Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useSend } from "~/shared/api/send";
import { dollars } from "~/shared/catalogue/money";
import { useFields } from "~/shared/forms/fields";
import type { Submit } from "~/shared/payments/card/card-entry";
import { CardEntryField } from "~/shared/payments/card/card-entry-field";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "./guest.module.css";
import { type InvoiceSeen, payByLink, seenQuery } from "./queries";

const NOWHERE = {
  streetAddress1: "",
  streetAddress2: "",
  city: "",
  state: "",
  postalCode: "",
  countryCode: "",
};

/** Pays the invoice by a card, which is saved nowhere. Its number is typed in the provider's own frame. */
export function CardForm({ seen, token }: { seen: InvoiceSeen; token: string }) {
  const { i18n, t } = useLingui();
  const cache = useQueryClient();
  const [submit, setSubmit] = useState<Submit>();
  const [fault, setFault] = useState("");
  const typed = useRef(0);
  const sending = useSend();
  const form = useFields({ name: { rules: ["required", "name"] } });
  const amount = dollars(i18n, seen.amount);

  /** What is typed anew is another card, and sent as such: after a lost answer the same one is the same request. */
  function hear(fault: string) {
    typed.current += 1;
    setFault(fault);
  }

  async function pay({ name }: typeof form.texts) {
    if (!submit) return;
    setFault("");
    const problem = await sending.send(
      async (key) => {
        const entered = { name, address: NOWHERE };
        const taken = await submit(entered).catch((cause: Error) => setFault(cause.message));
        if (!taken) return;
        const after = await payByLink(token, taken.id, seen.planHash, key);
        cache.setQueryData(seenQuery(token).queryKey, after);
      },
      [seen.planHash, typed.current],
    );
    if (!problem) return;
    form.refuse(problem);
    await cache.invalidateQueries({ queryKey: seenQuery(token).queryKey });
  }

  return (
    <Panel aria-label={t`Card`}>
      <form className={classes.form} onSubmit={form.submit(pay)} noValidate>
        <ProblemNote problem={sending.problem} />
        <TextInput
          size="md"
          label={t`Name on the card`}
          autoComplete="cc-name"
          {...form.field("name")}
        />
        <CardEntryField
          provider={seen}
          busy={!submit}
          onReady={(how) => setSubmit(() => how)}
          onFault={hear}
        />
        {fault ? <Note tone="fail">{fault}</Note> : null}
        <Button size="md" type="submit" loading={sending.busy} disabled={!submit}>
          <Trans>Pay {amount}</Trans>
        </Button>
      </form>
    </Panel>
  );
}
