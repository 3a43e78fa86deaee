import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useState } from "react";
import { Note } from "~/shared/ui/note";

/** A guest has no list of activations: this link is the way back. */
export function GuestLink() {
  const [copied, setCopied] = useState(false);

  async function copy() {
    try {
      await navigator.clipboard.writeText(window.location.href);
      setCopied(true);
    } catch {
      setCopied(false); // the address bar holds the same link
    }
  }

  return (
    <Note
      tone="plain"
      action={
        <Button variant="default" size="md" onClick={copy}>
          {copied ? <Trans>Link copied</Trans> : <Trans>Copy the link</Trans>}
        </Button>
      }
    >
      <Trans>You are a guest. Keep the link of this page: it brings you back for 60 days.</Trans>
    </Note>
  );
}
