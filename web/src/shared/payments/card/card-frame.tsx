import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Checkbox, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { AddressFields, addressRules } from "~/shared/addresses/address-fields";
import { problemOf } from "~/shared/api/errors";
import { keyOf } from "~/shared/api/operation";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import { useBusiness } from "~/shared/session/session";
import { useSiteCountry } from "~/shared/session/site-country";
import { Dialog } from "~/shared/ui/dialogs/dialog";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import { attachCard, cardKey } from "../calls";
import { askForMethods } from "../queries";
import type { Submit } from "./card-entry";
import { CardEntryField } from "./card-entry-field";
import classes from "./card-frame.module.css";

type CardFrameProps = {
  onClose: () => void;
  /** The id of the new card. */
  onAdded: (id: string) => void;
};

/** Adds a card. Its number is typed in the provider's own frame and never comes here. */
export function CardFrame({ onClose, onAdded }: CardFrameProps) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const code = useBusiness()?.code ?? "";
  const key = useQuery({
    queryKey: keyOf("get", "/api/products-checkout/{sap_bp_code}/get-stripe-key", {
      params: { path: { sap_bp_code: code } },
    }),
    queryFn: () => cardKey(code),
    enabled: code !== "",
  });
  const [submit, setSubmit] = useState<Submit>();
  const [fault, setFault] = useState("");
  const sending = useSend();
  const form = useFields({
    name: { rules: ["required", "name"] },
    isDefault: { rules: [] },
    ...addressRules({ countryCode: useSiteCountry() }),
  });
  const preferred = form.box("isDefault");
  const entry = { onReady: (how: Submit) => setSubmit(() => how), onFault: setFault };

  async function save(texts: typeof form.texts) {
    if (!submit) return;
    const { name, isDefault: _, ...address } = texts;
    setFault("");
    const entered = { name, address };
    const problem = await sending.send(async (key) => {
      const taken = await submit(entered).catch((cause: Error) => setFault(cause.message));
      if (!taken) return;
      const card = { paymentMethodId: taken.id, name, isDefault: preferred.checked, ...address };
      const added = await attachCard(card, key);
      await askForMethods(cache);
      onAdded(added);
    });
    if (problem) form.refuse(problem);
  }

  return (
    <Dialog size="lg" onClose={onClose} title={t`Add a card`}>
      <form className={classes.form} onSubmit={form.submit(save)} noValidate>
        {key.isError ? (
          <ProblemNote problem={problemOf(key.error)} onRetry={() => void key.refetch()} />
        ) : null}
        <ProblemNote problem={sending.problem} />
        <TextInput
          size="md"
          className={classes.wide}
          label={t`Name on the card`}
          autoComplete="cc-name"
          {...form.field("name")}
        />
        <CardEntryField
          provider={key.data && { publicKey: key.data.detail, frameUrl: key.data.frameUrl }}
          busy={!submit}
          {...entry}
        />
        {fault ? <Note tone="fail">{fault}</Note> : null}
        <AddressFields form={form} />
        <Checkbox size="md" label={t`Use it by default`} {...preferred} />
        <div className={classes.actions}>
          <Button size="md" variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button size="md" type="submit" loading={sending.busy} disabled={!submit}>
            <Trans>Add the card</Trans>
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
