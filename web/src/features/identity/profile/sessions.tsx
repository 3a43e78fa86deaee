import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useSend } from "~/shared/api/send";
import { signOut } from "~/shared/api/sign-out";
import { ProblemNote } from "~/shared/ui/note";
import { Panel } from "~/shared/ui/panel";

export function Sessions() {
  const navigate = useNavigate();
  const sending = useSend();

  async function everywhere() {
    const problem = await sending.send(() => signOut(true));
    if (!problem) await navigate({ to: "/login" });
  }

  return (
    <Panel aria-labelledby="sessions">
      <h2 id="sessions">
        <Trans>Sessions</Trans>
      </h2>
      <p>
        <Trans>Logs you out here and on every other device.</Trans>
      </p>
      <ProblemNote problem={sending.problem} />
      <Button variant="default" size="md" loading={sending.busy} onClick={everywhere}>
        <Trans>Log out everywhere</Trans>
      </Button>
    </Panel>
  );
}
