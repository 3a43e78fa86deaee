import { Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { Panel } from "~/shared/ui/panel";
import classes from "./devices.module.css";

const DIGITS = /^[0-9]{5}$/;

type ProofFormProps = { given: string | undefined; onProof: (digits: string) => void };

/** A device that belongs to no business is opened by whoever holds it. */
export function ProofForm({ given, onProof }: ProofFormProps) {
  const { t } = useLingui();
  const [digits, setDigits] = useState(given ?? "");
  const [asked, setAsked] = useState(false);
  const missing = !DIGITS.test(digits);

  function submit(event: FormEvent) {
    event.preventDefault();
    setAsked(true);
    if (!missing) onProof(digits);
  }

  return (
    <Panel>
      <form className={classes.find} onSubmit={submit} noValidate>
        <TextInput
          size="md"
          label={t`Last 5 digits of the SIM (ICCID)`}
          description={t`This device belongs to no business yet. The digits stand under its serial number.`}
          inputMode="numeric"
          autoComplete="off"
          maxLength={5}
          value={digits}
          onChange={(event) => setDigits(event.currentTarget.value.replaceAll(/[^0-9]/g, ""))}
          error={asked && missing ? t`Five digits` : undefined}
        />
        <Button type="submit" size="md">
          <Trans>Open the device</Trans>
        </Button>
      </form>
    </Panel>
  );
}
