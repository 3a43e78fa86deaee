import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { Note } from "~/shared/ui/notes/note";

/** The bank asks before it pays; `url` is where it does. */
export function BankAsks({ url }: { url: string | null | undefined }) {
  return (
    <Note
      tone="wait"
      action={
        url ? (
          <Button size="md" component="a" href={url} rel="noreferrer">
            <Trans>Confirm with your bank</Trans>
          </Button>
        ) : undefined
      }
    >
      <Trans>Your bank wants to hear from you before it pays.</Trans>
    </Note>
  );
}

/** Nobody knows yet whether it was paid. */
export function EndUnclear() {
  return (
    <Note tone="wait">
      <Trans>
        We could not find out how this ended. Our team looks at it and writes to you; you are not
        charged twice.
      </Trans>
    </Note>
  );
}
