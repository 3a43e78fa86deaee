import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Checkbox, TextInput, type TextInputProps } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { AddressFields, addressRules } from "~/shared/addresses/address-fields";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import { faultOf, type Judge } from "~/shared/forms/validation";
import { addBankAccount, type NewBankAccount } from "~/shared/payments/calls";
import { askForMethods } from "~/shared/payments/queries";
import { useSiteCountry } from "~/shared/session/site-country";
import { Dialog } from "~/shared/ui/dialogs/dialog";
import { Choice } from "~/shared/ui/fields/choice";
import { ProblemNote } from "~/shared/ui/notes/note";
import classes from "../billing.module.css";

/** Inputs beside each other stand in one line, however long the words about them are. */
const WORDS_BELOW: TextInputProps["inputWrapperOrder"] = ["label", "input", "error", "description"];

/** Adds a bank account; it can be paid with once its two deposits were named. */
export function BankForm({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const sending = useSend();
  const holderName: Judge = (name, { holderType }) =>
    faultOf(name, [holderType === "Individual" ? "name" : "no_card_number"]);
  const form = useFields({
    name: { rules: ["required", holderName] },
    holderType: { rules: [], initial: "Company" },
    accountType: { rules: [], initial: "Checking" },
    routingNumber: { rules: ["required", "whole_number"], verbatim: true },
    accountNumber: { rules: ["required", "whole_number"], verbatim: true },
    isDefault: { rules: [] },
    ...addressRules({ countryCode: useSiteCountry() }),
  });
  const holder = form.choice<NewBankAccount["holderType"]>("holderType");
  const kind = form.choice<NewBankAccount["accountType"]>("accountType");
  const preferred = form.box("isDefault");

  async function save(texts: typeof form.texts) {
    const account = {
      ...texts,
      holderType: holder.value,
      accountType: kind.value,
      isDefault: preferred.checked,
    };
    const problem = await sending.send(async (key) => {
      await addBankAccount(account, key);
      await askForMethods(cache);
    }, account);
    if (problem) form.refuse(problem);
    else onClose();
  }

  return (
    <Dialog size="lg" busy={sending.busy} onClose={onClose} title={t`Add a bank account`}>
      <form className={classes.form} onSubmit={form.submit(save)} noValidate autoComplete="off">
        <ProblemNote problem={sending.problem} besideFields />
        <TextInput size="md" label={t`Account holder`} {...form.field("name")} />
        <div className={classes.pair}>
          <Choice
            label={t`Holder`}
            {...holder}
            options={[
              { value: "Company", label: t`Company` },
              { value: "Individual", label: t`Individual` },
            ]}
          />
          <Choice
            label={t`Account type`}
            {...kind}
            options={[
              { value: "Checking", label: t`Checking` },
              { value: "Savings", label: t`Savings` },
            ]}
          />
          <TextInput
            size="md"
            label={t`Routing number`}
            description={t`9 digits; in Canada 0, the institution and the transit number`}
            inputWrapperOrder={WORDS_BELOW}
            inputMode="numeric"
            autoComplete="off"
            {...form.field("routingNumber")}
          />
          <TextInput
            size="md"
            label={t`Account number`}
            description={t`4 to 17 digits`}
            inputWrapperOrder={WORDS_BELOW}
            inputMode="numeric"
            autoComplete="off"
            {...form.field("accountNumber")}
          />
        </div>
        <AddressFields form={form} countries={["CA", "US"]} />
        <Checkbox size="md" label={t`Use it by default once it is verified`} {...preferred} />
        <p className={classes.address}>
          <Trans>
            By adding it, its holder allows us to debit it for what this business pays by it, until
            it is deleted here.
          </Trans>
        </p>
        <div className={classes.end}>
          <Button size="md" variant="default" disabled={sending.busy} onClick={onClose}>
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
