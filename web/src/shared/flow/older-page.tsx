import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { Note } from "~/shared/ui/notes/note";

/** Said calmly: what is on screen goes on, and a reload brings the page that knows it all. */
export function OlderPage({ drift }: { drift: number }) {
  if (drift === 0) return null;
  return (
    <Note
      tone="plain"
      action={
        <Button variant="default" size="md" onClick={() => window.location.reload()}>
          <Trans>Reload</Trans>
        </Button>
      }
    >
      <Trans>This page is older than what it shows. Reload it to see everything.</Trans>
    </Note>
  );
}
