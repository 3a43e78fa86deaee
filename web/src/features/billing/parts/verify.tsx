import { msg } from "@lingui/core/macro";
import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { tell } from "~/shared/alerts/alerts";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import { type Deposits, verifyBankAccount } from "~/shared/payments/calls";
import { askForMethods } from "~/shared/payments/queries";
import type { SavedMethod } from "~/shared/payments/types";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import { readCents } from "../amounts";
import classes from "../billing.module.css";

/** A bank account that waits for its two deposits to be named. */
export function Verify({ method, name }: { method: SavedMethod; name: string }) {
  const { verification } = method;
  switch (verification?.state) {
    case "waiting":
      return <DepositsForm method={method} name={name} />;
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

function DepositsForm({ method, name }: { method: SavedMethod; name: string }) {
  const [byCode, setByCode] = useState(false);
  const verifying = useVerifying(method, name);
  const takesCode = method.verification?.takesCode ?? false;
  return (
    <>
      {byCode ? (
        <CodeForm method={method} name={name} {...verifying} />
      ) : (
        <AmountsForm method={method} name={name} {...verifying} />
      )}
      {takesCode && (
        <Button
          size="md"
          variant="subtle"
          className={classes.other}
          onClick={() => {
            verifying.sending.forget();
            setByCode(!byCode);
          }}
        >
          {byCode ? (
            <Trans>My bank shows two deposits</Trans>
          ) : (
            <Trans>My bank shows one deposit with a code</Trans>
          )}
        </Button>
      )}
    </>
  );
}

interface FormProps {
  method: SavedMethod;
  name: string;
  sending: ReturnType<typeof useSend>;
  verify: (deposits: Deposits) => Promise<void>;
}

function useVerifying(method: SavedMethod, name: string): Pick<FormProps, "sending" | "verify"> {
  const { i18n } = useLingui();
  const cache = useQueryClient();
  const sending = useSend();

  async function verify(deposits: Deposits) {
    const problem = await sending.send(
      (key) => verifyBankAccount(method.id, deposits, key),
      deposits,
    );
    await askForMethods(cache);
    if (problem) return;
    tell({ content: i18n._(msg`${name} is verified.`), type: "success" });
  }

  return { sending, verify };
}

function TriesLeft({ method }: { method: SavedMethod }) {
  const triesLeft = method.verification?.triesLeft ?? 0;
  return <Plural value={triesLeft} one="# try is left." other="# tries are left." />;
}

function useLastDay(method: SavedMethod): string {
  const { i18n } = useLingui();
  const expiresAt = method.verification?.expiresAt;
  return expiresAt ? i18n.date(expiresAt, { dateStyle: "medium" }) : "";
}

function AmountsForm({ method, name, sending, verify }: FormProps) {
  const { t } = useLingui();
  const isDeposit = (text: string) =>
    readCents(text) === undefined ? t`Between 1 and 99 cents` : undefined;
  const form = useFields({ first: { rules: [isDeposit] }, second: { rules: [isDeposit] } });
  const day = useLastDay(method);

  async function submit(texts: typeof form.texts) {
    const [first, second] = [readCents(texts.first), readCents(texts.second)];
    if (first === undefined || second === undefined) return;
    await verify({ amounts: [first, second] });
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
      onSubmit={form.submit(submit)}
      noValidate
      aria-label={t`Verify ${name}`}
    >
      <p className={classes.address}>
        <Trans>
          We sent two deposits of less than a dollar. Enter their amounts as your bank shows them,
          until {day}.
        </Trans>{" "}
        <TriesLeft method={method} />
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

/** Where the bank's statement shows one deposit, whose text holds a code. */
function CodeForm({ method, name, sending, verify }: FormProps) {
  const { t } = useLingui();
  const isCode = (text: string) =>
    /^\s*SM[A-Z0-9]{4}\s*$/i.test(text) ? undefined : t`Six characters that begin with SM`;
  const form = useFields({ code: { rules: [isCode] } });
  const day = useLastDay(method);
  return (
    <form
      className={classes.form}
      onSubmit={form.submit((texts) => verify({ descriptorCode: texts.code.trim() }))}
      noValidate
      aria-label={t`Verify ${name}`}
    >
      <p className={classes.address}>
        <Trans>
          We sent one deposit of a cent. Enter the code in its text, until {day}. It begins with SM.
        </Trans>{" "}
        <TriesLeft method={method} />
      </p>
      {sending.problem?.code === "wrong_amounts" ? (
        <Note tone="fail">
          <Trans>This is not the code of the deposit.</Trans>
        </Note>
      ) : (
        <ProblemNote problem={sending.problem} />
      )}
      <div className={classes.amounts}>
        <TextInput
          size="md"
          label={t`Code of the deposit`}
          autoComplete="off"
          {...form.field("code")}
        />
        <Button size="md" type="submit" loading={sending.busy}>
          <Trans>Verify</Trans>
        </Button>
      </div>
    </form>
  );
}
