import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Checkbox, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { AddressFields, addressRules, postalCodeFits } from "~/shared/addresses/address-fields";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import { addBankAccount, type NewBankAccount } from "~/shared/payments/calls";
import { askForMethods } from "~/shared/payments/queries";
import { isCanadian } from "~/shared/session/site";
import { Choice } from "~/shared/ui/choice";
import { Dialog } from "~/shared/ui/dialog";
import { ProblemNote } from "~/shared/ui/note";
import classes from "../billing.module.css";

/** Adds a bank account; it can be paid with once its two deposits were named. */
export function BankForm({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const sending = useSend();
  const [holderType, setHolderType] = useState<NewBankAccount["holderType"]>("Company");
  const [accountType, setAccountType] = useState<NewBankAccount["accountType"]>("Checking");
  const [isDefault, setDefault] = useState(false);
  const form = useFields({
    name: {
      rules: ["required", holderType === "Individual" ? "name" : "no_card_number"],
    },
    routingNumber: { rules: ["required", "whole_number"], verbatim: true },
    accountNumber: { rules: ["required", "whole_number"], verbatim: true },
    ...addressRules({ countryCode: isCanadian() ? "CA" : "US" }),
  });

  async function save(texts: typeof form.texts) {
    if (!postalCodeFits(texts)) return;
    const account = { ...texts, holderType, accountType, isDefault };
    const problem = await sending.send(async (key) => {
      await addBankAccount(account, key);
      await askForMethods(cache);
    }, account);
    if (problem) form.refuse(problem);
    else onClose();
  }

  return (
    <Dialog size="lg" onClose={onClose} title={t`Add a bank account`}>
      <form className={classes.form} onSubmit={form.submit(save)} noValidate autoComplete="off">
        <ProblemNote problem={sending.problem} besideFields />
        <TextInput size="md" label={t`Account holder`} {...form.field("name")} />
        <div className={classes.pair}>
          <Choice
            label={t`Holder`}
            value={holderType}
            onChange={setHolderType}
            options={[
              { value: "Company", label: t`Company` },
              { value: "Individual", label: t`Individual` },
            ]}
          />
          <Choice
            label={t`Account type`}
            value={accountType}
            onChange={setAccountType}
            options={[
              { value: "Checking", label: t`Checking` },
              { value: "Savings", label: t`Savings` },
            ]}
          />
          <TextInput
            size="md"
            label={t`Routing number`}
            description={t`9 digits; in Canada 0, the institution and the transit number`}
            inputMode="numeric"
            autoComplete="off"
            {...form.field("routingNumber")}
          />
          <TextInput
            size="md"
            label={t`Account number`}
            description={t`4 to 17 digits`}
            inputMode="numeric"
            autoComplete="off"
            {...form.field("accountNumber")}
          />
        </div>
        <AddressFields form={form} countries={["CA", "US"]} />
        <Checkbox
          size="md"
          label={t`Use it by default once it is verified`}
          checked={isDefault}
          onChange={(event) => setDefault(event.currentTarget.checked)}
        />
        <div className={classes.end}>
          <Button size="md" variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button size="md" type="submit" loading={sending.busy}>
            <Trans>Add the bank account</Trans>
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
