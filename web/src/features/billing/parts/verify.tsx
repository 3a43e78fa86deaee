import { msg } from "@lingui/core/macro";
import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { tell } from "~/shared/alerts/alerts";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import { verifyBankAccount } from "~/shared/payments/calls";
import { askForMethods } from "~/shared/payments/queries";
import type { SavedMethod } from "~/shared/payments/types";
import { Note, ProblemNote } from "~/shared/ui/note";
import { readCents } from "../amounts";
import classes from "../billing.module.css";

/** A bank account that waits for its two deposits to be named. */
export function Verify({ method, name }: { method: SavedMethod; name: string }) {
  const { verification } = method;
  switch (verification?.state) {
    case "waiting":
      return <AmountsForm method={method} name={name} />;
    case "checking":
      return (
        <Note tone="wait">
          <Trans>The amounts are being compared.</Trans>
        </Note>
      );
    default:
      return (
        <Note tone="wait">
          <Trans>Two small deposits are on their way to this account.</Trans>
        </Note>
      );
  }
}

function AmountsForm({ method, name }: { method: SavedMethod; name: string }) {
  const { t, i18n } = useLingui();
  const cache = useQueryClient();
  const sending = useSend();
  const isDeposit = (text: string) =>
    readCents(text) === undefined ? t`Between 1 and 99 cents` : undefined;
  const form = useFields({ first: { rules: [isDeposit] }, second: { rules: [isDeposit] } });
  const { triesLeft = 0, expiresAt = "" } = method.verification ?? {};
  const day = expiresAt ? i18n.date(expiresAt, { dateStyle: "medium" }) : "";

  async function verify(texts: typeof form.texts) {
    const [first, second] = [readCents(texts.first), readCents(texts.second)];
    if (first === undefined || second === undefined) return;
    const cents: [number, number] = [first, second];
    const problem = await sending.send((key) => verifyBankAccount(method.id, cents, key), cents);
    await askForMethods(cache);
    if (problem) return;
    tell({ content: i18n._(msg`${name} is verified.`), type: "success" });
  }

  const field = (which: "first" | "second", label: string) => (
    <TextInput
      size="md"
      label={label}
      inputMode="decimal"
      autoComplete="off"
      {...form.field(which)}
    />
  );

  return (
    <form
      className={classes.form}
      onSubmit={form.submit(verify)}
      noValidate
      aria-label={t`Verify ${name}`}
    >
      <p className={classes.address}>
        <Trans>
          We sent two deposits of less than a dollar. Enter their amounts as your bank shows them,
          until {day}.
        </Trans>{" "}
        <Plural value={triesLeft} one="# try is left." other="# tries are left." />
      </p>
      <ProblemNote problem={sending.problem} />
      <div className={classes.amounts}>
        {field("first", t`First deposit ($)`)}
        {field("second", t`Second deposit ($)`)}
        <Button size="md" type="submit" loading={sending.busy}>
          <Trans>Verify</Trans>
        </Button>
      </div>
    </form>
  );
}
