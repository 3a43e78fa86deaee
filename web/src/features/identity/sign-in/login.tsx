import { Trans } from "@lingui/react/macro";
import { Link, useRouter } from "@tanstack/react-router";
import { bare } from "~/shared/navigation/routes";
import { safeNext } from "~/shared/session/access";
import type { Ended } from "~/shared/session/session";
import { Note } from "~/shared/ui/notes/note";
import { Card } from "../card";
import { SignInForm } from "./sign-in-form";

type LoginScreenProps = { next: string | undefined; ended: Ended | undefined };

export function LoginScreen({ next, ended }: LoginScreenProps) {
  const router = useRouter();

  // The page's guard leads on as soon as somebody is signed in, and they may be elsewhere by now.
  function leave() {
    if (bare(router.latestLocation.pathname) === "/login") router.history.replace(safeNext(next));
  }

  return (
    <Card
      title={<Trans>Log in</Trans>}
      lead={<Trans>For dealers, installers and sales reps.</Trans>}
      below={
        <>
          <Trans>
            New here? <Link to="/register">Register</Link> or{" "}
            <Link to="/dealer-request">ask to become a dealer</Link>.
          </Trans>
          <br />
          <Trans>
            No account? <Link to="/activation">Activate a device as a guest</Link>
          </Trans>
        </>
      }
    >
      {ended ? (
        <div style={{ marginBottom: 20 }}>
          <Note tone="wait">
            {ended === "mfa-off" ? (
              <Trans>
                Multi-factor authentication is off. You were logged out everywhere: please log in
                again.
              </Trans>
            ) : (
              <Trans>Your session ended. Please log in again.</Trans>
            )}
          </Note>
        </div>
      ) : null}
      <SignInForm onSignedIn={leave} />
    </Card>
  );
}
