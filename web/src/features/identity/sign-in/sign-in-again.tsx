import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { end, useSession } from "~/shared/session/session";
import { Dialog } from "~/shared/ui/dialogs/dialog";
import { SignInForm } from "./sign-in-form";

/** Over the page when the session ran out: what was typed below it stays, unless one says to go on without it. */
export default function SignInAgain() {
  const { t } = useLingui();
  const present = useSession();
  const cache = useQueryClient();
  if (present.state !== "expired") return null;
  return (
    <Dialog title={t`Please log in again`}>
      <p style={{ marginTop: 0 }}>
        <Trans>Your session ended. What you entered on this page is kept.</Trans>
      </p>
      <SignInForm
        username={present.user.email}
        onSignedIn={() => void cache.invalidateQueries()}
        below={(busy) => (
          <Button variant="subtle" fullWidth disabled={busy} onClick={() => end()}>
            <Trans>Continue without logging in</Trans>
          </Button>
        )}
      />
    </Dialog>
  );
}
