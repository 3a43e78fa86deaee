import { Plural, Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useWaiting } from "~/shared/kept/waiting";
import { useOpener } from "~/shared/ui/dialogs/opener";
import { fetchedDialog } from "~/shared/ui/fetched";
import { Note } from "~/shared/ui/notes/note";

const List = fetchedDialog(() => import("~/features/activation/waiting/waiting-forms"));

/** In a page, while something that was entered without a signal waits on this device. */
export function WaitingNote() {
  const count = useWaiting();
  const { below, button } = useOpener("dialog", true);
  if (count === 0) return null;
  return (
    <>
      <Note
        tone="wait"
        action={
          <Button size="md" variant="default" {...button}>
            <Trans>Look at them</Trans>
          </Button>
        }
      >
        <Plural value={count} one="# form waits to be sent." other="# forms wait to be sent." />
      </Note>
      {below.open ? <List {...below} /> : null}
    </>
  );
}
