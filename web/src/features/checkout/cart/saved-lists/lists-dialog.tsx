import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { problemOf } from "~/shared/api/errors";
import { useSend } from "~/shared/api/send";
import { DangerButton } from "~/shared/ui/buttons/danger-button";
import { Dialog } from "~/shared/ui/dialogs/dialog";
import { DataTable } from "~/shared/ui/lists/data-table";
import { EmptyPart } from "~/shared/ui/lists/empty-state";
import { ProblemNote } from "~/shared/ui/notes/note";
import {
  askForLists,
  deleteList,
  type ListHead,
  type ListWithRows,
  rowsOf,
  savedListsQuery,
} from "./queries";
import classes from "./saved-lists.module.css";

type ListsDialogProps = { onUse: (list: ListWithRows) => void; onClose: () => void };

/** One's own lists, then those that colleagues share. */
export function ListsDialog({ onUse, onClose }: ListsDialogProps) {
  const { t, i18n } = useLingui();
  const cache = useQueryClient();
  const found = useQuery(savedListsQuery);
  const { busy, problem, send } = useSend();
  const [leaving, setLeaving] = useState<string>();

  const use = ({ id }: ListHead) => send(async () => onUse(await rowsOf(id)));
  const remove = ({ id }: ListHead) =>
    send(async () => {
      await deleteList(id);
      setLeaving(undefined);
      await askForLists(cache);
    }, ["delete", id]);

  return (
    <Dialog title={t`Saved lists`} size="lg" busy={busy} onClose={onClose}>
      <div className={classes.lists}>
        <ProblemNote problem={problem} />
        {found.error ? (
          <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
        ) : (
          <DataTable
            label={t`Saved lists`}
            rows={found.data?.results}
            keyOf={({ id }) => id}
            empty={
              <EmptyPart
                none={
                  <Trans>
                    No list yet. Type the rows that you order every week, then save them as a list.
                  </Trans>
                }
                action={
                  <Button size="md" variant="default" onClick={onClose}>
                    <Trans>Type the rows</Trans>
                  </Button>
                }
              />
            }
            columns={[
              {
                head: t`List`,
                names: true,
                cell: (list) => (
                  <>
                    {list.name}
                    <small>{list.is_own ? ownWords(list.is_shared) : t`By ${list.made_by}`}</small>
                  </>
                ),
              },
              {
                head: t`Rows`,
                as: "figure",
                cell: ({ count }) => <Plural value={count} one="# row" other="# rows" />,
              },
              {
                head: t`Changed`,
                cell: ({ updated_at }) => i18n.date(updated_at, { dateStyle: "medium" }),
              },
              {
                head: t`Actions`,
                as: "controls",
                cell: (list) => (
                  <span className={classes.actions}>
                    <Button
                      size="sm"
                      disabled={busy}
                      aria-label={t`Use ${list.name}`}
                      onClick={() => void use(list)}
                    >
                      <Trans>Use</Trans>
                    </Button>
                    {list.may_change ? (
                      <DangerButton
                        size="sm"
                        variant={leaving === list.id ? undefined : "default"}
                        disabled={busy}
                        aria-label={
                          leaving === list.id
                            ? t`Really delete ${list.name}`
                            : t`Delete ${list.name}`
                        }
                        onClick={() =>
                          leaving === list.id ? void remove(list) : setLeaving(list.id)
                        }
                      >
                        {leaving === list.id ? <Trans>Really delete</Trans> : <Trans>Delete</Trans>}
                      </DangerButton>
                    ) : null}
                  </span>
                ),
              },
            ]}
          />
        )}
      </div>
    </Dialog>
  );

  function ownWords(isShared: boolean): string {
    return isShared ? t`Yours, shared with your business` : t`Yours alone`;
  }
}
