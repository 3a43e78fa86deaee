import { Trans, useLingui } from "@lingui/react/macro";
import { useLocation } from "@tanstack/react-router";
import { CopyLink } from "~/shared/ui/buttons/copy-link";
import { Note } from "~/shared/ui/notes/note";

/** A guest has no list of activations: this link is the way back. */
export function GuestLink() {
  const { t } = useLingui();
  const href = useLocation({ select: (location) => location.href });
  const url = new URL(href, window.location.origin).href;
  return (
    <Note tone="plain" action={<CopyLink url={url} label={t`Link to this page`} folded />}>
      <Trans>You are a guest. Keep the link of this page: it brings you back for 60 days.</Trans>
    </Note>
  );
}
