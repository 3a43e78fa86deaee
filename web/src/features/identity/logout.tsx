import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useSend } from "~/shared/api/send";
import { session, useSession } from "~/shared/session/session";
import { signOut } from "~/shared/session/sign-out";
import { Heading } from "~/shared/ui/screens/heading";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "./login.module.css";

/** Leaving is a post, so opening this page alone changes nothing. */
export function LogoutScreen() {
  const present = useSession();
  const { busy: leaving, send } = useSend({ alert: true });

  const gone = session().state === "anonymous";
  return (
    <div className={classes.page}>
      <Panel className={classes.panel}>
        <Heading focusKey={present.state}>
          {gone ? <Trans>You are logged out</Trans> : <Trans>Log out?</Trans>}
        </Heading>
        <p className={classes.lead}>
          {gone ? (
            <Trans>Unfinished activations are kept. Log in to go on with them.</Trans>
          ) : (
            <Trans>Unfinished activations are kept and wait for you.</Trans>
          )}
        </p>
        {gone ? (
          <Button size="lg" fullWidth renderRoot={(props) => <Link to="/login" {...props} />}>
            <Trans>Log in</Trans>
          </Button>
        ) : (
          <Button size="lg" fullWidth loading={leaving} onClick={() => void send(() => signOut())}>
            <Trans>Log out</Trans>
          </Button>
        )}
      </Panel>
    </div>
  );
}
