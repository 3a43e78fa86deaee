import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { type Problem, problemOf } from "~/shared/api/errors";
import { useSession } from "~/shared/session/session";
import { Heading } from "~/shared/ui/heading";
import { ProblemNote } from "~/shared/ui/note";
import { Panel } from "~/shared/ui/panel";
import { Preferences } from "~/shared/ui/preferences";
import classes from "./profile.module.css";
import { signOut } from "./sign-in";

export function ProfileScreen() {
  const { t } = useLingui();
  const present = useSession();
  const navigate = useNavigate();
  const [problem, setProblem] = useState<Problem>();
  if (present.state === "anonymous") return null;
  const { user } = present;

  async function everywhere() {
    try {
      await signOut(true);
      await navigate({ to: "/login" });
    } catch (cause) {
      setProblem(problemOf(cause));
    }
  }

  return (
    <div className={classes.page}>
      <Heading>
        <Trans>My Profile</Trans>
      </Heading>
      <Panel aria-label={t`About you`}>
        <dl className={classes.facts}>
          <dt>
            <Trans>Name</Trans>
          </dt>
          <dd>
            {user.first_name} {user.last_name}
          </dd>
          <dt>
            <Trans>Email</Trans>
          </dt>
          <dd>{user.email}</dd>
        </dl>
      </Panel>
      <Panel>
        <h2>
          <Trans>On this device</Trans>
        </h2>
        <Preferences />
      </Panel>
      <Panel>
        <h2>
          <Trans>Sessions</Trans>
        </h2>
        <p>
          <Trans>Logs you out here and on every other device.</Trans>
        </p>
        {problem ? <ProblemNote problem={problem} /> : null}
        <Button variant="default" size="md" onClick={everywhere}>
          <Trans>Log out everywhere</Trans>
        </Button>
      </Panel>
    </div>
  );
}
