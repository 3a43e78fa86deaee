import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useState } from "react";
import { ListDialog } from "./list-dialog";
import { ListsDialog } from "./lists-dialog";
import type { ListWithRows } from "./queries";

type SavedListsProps = {
  /** The rows of the pad; none while there is nothing to keep. */
  text: string | undefined;
  /** Whether nothing stands in the pad. */
  isEmpty: boolean;
  onUse: (list: ListWithRows) => void;
};

/** Named rows that are ordered again and again: opened into the pad, and kept from it. */
export function SavedLists({ text, isEmpty, onUse }: SavedListsProps) {
  const { t } = useLingui();
  const [open, setOpen] = useState<"lists" | "keep">();
  const [used, setUsed] = useState<ListWithRows>();
  if (used && isEmpty) setUsed(undefined);
  return (
    <>
      <Button variant="default" size="md" onClick={() => setOpen("lists")}>
        <Trans>Saved lists</Trans>
      </Button>
      <Button
        variant="subtle"
        size="md"
        disabled={text === undefined}
        title={text === undefined ? t`Enter a SKU first` : undefined}
        onClick={() => setOpen("keep")}
      >
        <Trans>Save as a list</Trans>
      </Button>
      {open === "lists" ? (
        <ListsDialog
          onClose={() => setOpen(undefined)}
          onUse={(list) => {
            setUsed(isEmpty ? list : undefined);
            setOpen(undefined);
            onUse(list);
          }}
        />
      ) : null}
      {open === "keep" && text !== undefined ? (
        <ListDialog
          text={text}
          used={used?.may_change ? used : undefined}
          onClose={() => setOpen(undefined)}
          onKept={(list) => {
            setUsed(list);
            setOpen(undefined);
          }}
        />
      ) : null}
    </>
  );
}
