import { Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { AddressFields, addressRules } from "~/shared/addresses/address-fields";
import { isCountry } from "~/shared/addresses/regions";
import { useSend } from "~/shared/api/send";
import type { Cart } from "~/shared/cart/queries";
import { useFields } from "~/shared/forms/fields";
import { useSiteCountry } from "~/shared/session/site-country";
import { Dialog } from "~/shared/ui/dialogs/dialog";
import { ProblemNote } from "~/shared/ui/notes/note";
import classes from "../checkout.module.css";
import { billTo } from "./draft";
import type { useDraft } from "./use-draft";

type BillingFormProps = {
  typed: Cart["billingAddress"];
  draft: ReturnType<typeof useDraft>;
  onClose: () => void;
};

/** An address for the bill of this order alone. */
export function BillingForm({ typed, draft, onClose }: BillingFormProps) {
  const { t } = useLingui();
  const sending = useSend();
  const country = useSiteCountry();
  const form = useFields({
    companyName: { rules: ["required", "no_card_number"], initial: typed?.companyName },
    ...addressRules({
      streetAddress1: typed?.streetAddress1,
      city: typed?.city,
      state: typed?.countryArea,
      postalCode: typed?.postalCode,
      countryCode: typed?.country ?? country,
    }),
  });

  async function save(texts: typeof form.texts) {
    const country = texts.countryCode;
    if (!isCountry(country)) return;
    const street = [texts.streetAddress1, texts.streetAddress2].filter(Boolean).join(", ");
    const problem = await sending.send(async () => {
      await draft.write(
        billTo({
          billingAddress: {
            companyName: texts.companyName,
            streetAddress1: street,
            city: texts.city,
            countryArea: texts.state,
            postalCode: texts.postalCode,
            country,
          },
        }),
      );
    });
    if (problem) form.refuse(problem);
    else onClose();
  }

  return (
    <Dialog size="lg" busy={sending.busy} onClose={onClose} title={t`Billing address`}>
      <form className={classes.dialog} onSubmit={form.submit(save)} noValidate>
        <ProblemNote problem={sending.problem} />
        <TextInput
          size="md"
          label={t`Name or business`}
          autoComplete="organization"
          {...form.field("companyName")}
        />
        <AddressFields form={form} />
        <div className={classes.end}>
          <Button size="md" variant="default" disabled={sending.busy} onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button size="md" type="submit" loading={sending.busy}>
            <Trans>Use this address</Trans>
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
