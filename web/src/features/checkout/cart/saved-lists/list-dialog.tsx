import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Checkbox, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useSend } from "~/shared/api/send";
import { boxed, useFields } from "~/shared/forms/fields";
import { Dialog } from "~/shared/ui/dialogs/dialog";
import { ProblemNote } from "~/shared/ui/notes/note";
import { askForLists, changeList, type ListWithRows, makeList } from "./queries";
import classes from "./saved-lists.module.css";

type ListDialogProps = {
  text: string;
  /** The list that the rows came from, if the person may change it. */
  used: ListWithRows | undefined;
  onKept: (list: ListWithRows) => void;
  onClose: () => void;
};

/**
 * Keeps the rows under a name; under the name of the list that they came from, that list is changed, unless somebody
 * has changed it meanwhile: the dialog says so, and everything typed stays.
 */
export function ListDialog({ text, used, onKept, onClose }: ListDialogProps) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const { busy, problem, send } = useSend();
  const form = useFields({
    name: { rules: ["required"], initial: used?.name ?? "" },
    shared: { rules: [], initial: boxed(used?.is_shared ?? false) },
  });
  const changes = used !== undefined && form.texts.name.trim() === used.name;

  const submit = form.submit(async ({ name, shared }) => {
    const listing = { name: name.trim(), is_shared: shared !== "", text };
    return send(
      async (key) => {
        const kept = changes
          ? await changeList(used.id, { ...listing, updated_at: used.updated_at })
          : await makeList(listing, key);
        await askForLists(cache);
        onKept(kept);
      },
      ["keep", listing],
    );
  });

  return (
    <Dialog title={t`Save as a list`} busy={busy} onClose={onClose}>
      <form className={classes.lists} onSubmit={submit} noValidate>
        <TextInput label={t`Name`} size="md" maxLength={60} {...form.field("name")} />
        <Checkbox label={t`Everybody who buys for my business sees it`} {...form.box("shared")} />
        <ProblemNote problem={problem} />
        <div className={classes.end}>
          <Button size="md" variant="default" disabled={busy} onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button size="md" type="submit" loading={busy}>
            {changes ? <Trans>Save changes</Trans> : <Trans>Save</Trans>}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
