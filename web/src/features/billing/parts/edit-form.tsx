import { Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { AddressFields, addressRules } from "~/shared/addresses/address-fields";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import { changeMethod } from "~/shared/payments/calls";
import { askForMethods } from "~/shared/payments/queries";
import type { SavedMethod } from "~/shared/payments/types";
import { Dialog } from "~/shared/ui/dialogs/dialog";
import { ProblemNote } from "~/shared/ui/notes/note";
import classes from "../billing.module.css";
import { mayExpire, readExpiry, writeExpiry } from "../expiry";

type EditFormProps = { method: SavedMethod; name: string; onClose: () => void };

/** The name, the address and, for a card, the expiry. The number itself cannot be changed. */
export function EditForm({ method, name, onClose }: EditFormProps) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const sending = useSend();
  const isCard = method.type === "CARD";
  const initial = writeExpiry(method.expMonth, method.expYear);
  const expires = (text: string) => {
    const read = readExpiry(text);
    return text === initial || (read && mayExpire(read, new Date()))
      ? undefined
      : t`Month and year, as on the card`;
  };
  const form = useFields({
    name: { rules: ["required", isCard ? "name" : "no_card_number"], initial: method.name },
    expiry: { rules: isCard ? [expires] : [], initial },
    ...addressRules(method.billingAddress),
  });

  async function save({ expiry, ...texts }: typeof form.texts) {
    const updates = { ...texts, ...(isCard && expiry !== initial ? readExpiry(expiry) : {}) };
    const problem = await sending.send(async (key) => {
      await changeMethod(method, updates, key);
      await askForMethods(cache);
    }, updates);
    if (problem) form.refuse(problem);
    else onClose();
  }

  return (
    <Dialog size="lg" busy={sending.busy} onClose={onClose} title={t`Edit ${name}`}>
      <form className={classes.form} onSubmit={form.submit(save)} noValidate>
        <ProblemNote problem={sending.problem} />
        <div className={classes.pair}>
          <TextInput
            size="md"
            label={isCard ? t`Name on the card` : t`Account holder`}
            autoComplete="name"
            {...form.field("name")}
          />
          {isCard ? (
            <TextInput
              size="md"
              label={t`Expiry (MMYY)`}
              inputMode="numeric"
              autoComplete="cc-exp"
              maxLength={5}
              {...form.field("expiry")}
            />
          ) : null}
        </div>
        <AddressFields form={form} />
        <div className={classes.end}>
          <Button size="md" variant="default" disabled={sending.busy} onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button size="md" type="submit" loading={sending.busy}>
            <Trans>Save</Trans>
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
