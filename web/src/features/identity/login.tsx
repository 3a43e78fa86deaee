import { Trans } from "@lingui/react/macro";
import { Link, useRouter } from "@tanstack/react-router";
import { safeNext } from "~/shared/session/access";
import { Heading } from "~/shared/ui/heading";
import { Panel } from "~/shared/ui/panel";
import classes from "./login.module.css";
import { SignInForm } from "./sign-in-form";

export function LoginScreen({ next }: { next: string | undefined }) {
  const router = useRouter();
  return (
    <div className={classes.page}>
      <Panel className={classes.panel}>
        <Heading>
          <Trans>Log in</Trans>
        </Heading>
        <p className={classes.lead}>
          <Trans>For dealers, installers and sales reps.</Trans>
        </p>
        <SignInForm onSignedIn={() => router.history.replace(safeNext(next))} />
      </Panel>
      <p className={classes.guest}>
        <Trans>
          No account? <Link to="/activation">Activate a device as a guest</Link>
        </Trans>
      </p>
    </div>
  );
}
