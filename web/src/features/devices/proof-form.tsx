import { Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { useFields } from "~/shared/forms/fields";
import { digitsOnly } from "~/shared/forms/validation";
import { ScanDigits } from "~/shared/scan/scan-device";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "./devices.module.css";

const DIGITS = /^[0-9]{5}$/;

type ProofFormProps = { given: string | undefined; onProof: (digits: string) => void };

/** A device that belongs to no business is opened by whoever holds it. */
export function ProofForm({ given, onProof }: ProofFormProps) {
  const { t } = useLingui();
  const five = (text: string) => (DIGITS.test(text) ? undefined : t`Five digits`);
  const form = useFields(
    { digits: { rules: [five], initial: given, shape: digitsOnly } },
    { leavable: true },
  );

  return (
    <Panel>
      <form
        className={classes.find}
        onSubmit={form.submit(({ digits }) => onProof(digits))}
        noValidate
      >
        <TextInput
          size="md"
          label={t`Last 5 digits of the SIM (ICCID)`}
          description={t`This device belongs to no business yet. The digits stand under its serial number.`}
          inputMode="numeric"
          autoComplete="off"
          maxLength={5}
          {...form.field("digits")}
        />
        <div className={classes.scans}>
          <ScanDigits onDigits={(digits) => form.set("digits", digits)} />
        </div>
        <Button type="submit" size="md">
          <Trans>Open the device</Trans>
        </Button>
      </form>
    </Panel>
  );
}
