import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useSend } from "~/shared/api/send";
import { signOut, signOutEverywhere } from "~/shared/session/sign-out";
import { ProblemNote } from "~/shared/ui/notes/note";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "./profile.module.css";

export function Sessions() {
  const navigate = useNavigate();
  const { busy, problem, send } = useSend();

  async function leave(by: () => Promise<void>) {
    const refused = await send(by);
    if (!refused) await navigate({ to: "/login" });
  }

  return (
    <Panel aria-labelledby="sessions">
      <h2 id="sessions">
        <Trans>Sessions</Trans>
      </h2>
      <p>
        <Trans>Logs you out here and on every other device.</Trans>
      </p>
      {problem ? (
        <div className={classes.refused}>
          <ProblemNote problem={problem} />
          <p>
            <Trans>You may be logged in still, here and on every other device.</Trans>
          </p>
        </div>
      ) : null}
      <div className={classes.row}>
        <Button variant="default" size="md" loading={busy} onClick={() => leave(signOutEverywhere)}>
          <Trans>Log out everywhere</Trans>
        </Button>
        {problem ? (
          <Button variant="default" size="md" disabled={busy} onClick={() => leave(signOut)}>
            <Trans>Log out here alone</Trans>
          </Button>
        ) : null}
      </div>
    </Panel>
  );
}
