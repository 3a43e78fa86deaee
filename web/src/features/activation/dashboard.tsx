import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useSession } from "~/shared/session/session";
import { Heading } from "~/shared/ui/heading";
import { ArrowIcon } from "~/shared/ui/icons";
import { Panel } from "~/shared/ui/panel";
import classes from "./dashboard.module.css";
import { UnfinishedList } from "./parts/unfinished-list";
import type { Scope } from "./queries";

const EXACT = { exact: true, includeSearch: true };

/** Home: what is half done, what else waits (`aside`), and the one thing most people come for. */
export function DashboardScreen({ scope, aside }: { scope: Scope; aside?: ReactNode }) {
  const { t } = useLingui();
  const present = useSession();
  const known = present.state !== "anonymous";
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
            {known ? (
              <Trans>Go on where you left off, or start with another device.</Trans>
            ) : (
              <Trans>Activate, test and update devices in the garage, and pick up anywhere.</Trans>
            )}
          </p>
        </div>
        <Button
          size="lg"
          rightSection={<ArrowIcon />}
          renderRoot={(props) => <Link to="/activation" {...props} />}
        >
          <Trans>Activate a device</Trans>
        </Button>
      </div>
      {known ? aside : null}
      {known ? (
        present.user.is_outside_rep ? null : (
          <section aria-labelledby="unfinished">
            <div className={classes.listHead}>
              <h2 id="unfinished">
                <Trans>Unfinished activations</Trans>
              </h2>
              <nav aria-label={t`Whose activations`} className={classes.scopes}>
                <Link to="/" search={{ scope: undefined }} activeOptions={EXACT}>
                  <Trans>Mine</Trans>
                </Link>
                <Link to="/" search={{ scope: "dealer" }} activeOptions={EXACT}>
                  <Trans>My dealer's</Trans>
                </Link>
              </nav>
            </div>
            <UnfinishedList scope={scope} />
          </section>
        )
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
