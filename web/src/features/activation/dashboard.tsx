import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { isOffered } from "~/shared/navigation/links";
import { useSession } from "~/shared/session/session";
import { useSite } from "~/shared/session/site";
import { ArrowIcon } from "~/shared/ui/pictures/icons";
import { Heading } from "~/shared/ui/screens/heading";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "./dashboard.module.css";

/** Home: the one thing most people come for, and below it, for whoever is known, what waits for them. */
export function DashboardScreen({ children }: { children: ReactNode }) {
  const present = useSession();
  const known = present.state !== "anonymous";
  const activates = isOffered("/activation", useSite(), present);
  return (
    <div className={classes.page}>
      <div className={classes.top}>
        <div>
          <Heading>
            {known ? (
              <Trans>Hello, {present.user.first_name}</Trans>
            ) : (
              <Trans>Welcome to Turnkey</Trans>
            )}
          </Heading>
          <p>
            {!activates ? (
              <Trans>What you had at work is with your colleagues now.</Trans>
            ) : known ? (
              <Trans>Go on where you left off, or start with another device.</Trans>
            ) : (
              <Trans>Activate, test and update devices in the garage, and pick up anywhere.</Trans>
            )}
          </p>
        </div>
        {activates ? (
          <Button
            size="lg"
            rightSection={<ArrowIcon />}
            renderRoot={(props) => <Link to="/activation" {...props} />}
          >
            <Trans>Activate a device</Trans>
          </Button>
        ) : null}
      </div>
      {known ? (
        children
      ) : (
        <Panel className={classes.guest}>
          <h2>
            <Trans>Installer or dealer?</Trans>
          </h2>
          <p>
            <Trans>Log in to see your unfinished activations and those of your dealer.</Trans>
          </p>
          <Button
            variant="default"
            size="md"
            renderRoot={(props) => <Link to="/login" {...props} />}
          >
            <Trans>Log in</Trans>
          </Button>
        </Panel>
      )}
    </div>
  );
}
