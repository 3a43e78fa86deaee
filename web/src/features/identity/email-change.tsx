import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { answered, client } from "~/shared/api/client";
import { useSending } from "~/shared/forms/send";
import { end } from "~/shared/session/session";
import { ProblemNote } from "~/shared/ui/note";
import { Card } from "./card";
import { ToLogin } from "./to-login";

type EmailChangeProps = { token: string | undefined };

/** Taking the new address. The link only opened this page; its button acts. */
export function AcceptEmailScreen({ token = "" }: EmailChangeProps) {
  const sending = useSending();
  if (sending.done) {
    return (
      <Card
        focusKey="done"
        title={<Trans>Your email is changed</Trans>}
        lead={<Trans>You are logged out everywhere. Log in with the new address.</Trans>}
      >
        <ToLogin />
      </Card>
    );
  }
  return (
    <Asked
      title={<Trans>Confirm Email Change</Trans>}
      lead={<Trans>From now on you log in with this address.</Trans>}
      button={<Trans>Use this address</Trans>}
      sending={sending}
      act={async () => {
        await answered(client.POST("/v1/auth/email-change/accept", { body: { token } }));
        end();
      }}
    />
  );
}

/** Ending the link; the present address stays. */
export function DeclineEmailScreen({ token = "" }: EmailChangeProps) {
  const sending = useSending();
  if (sending.done) {
    return (
      <Card
        focusKey="done"
        title={<Trans>Nothing was changed</Trans>}
        lead={<Trans>The link no longer works. Your account keeps its present address.</Trans>}
      />
    );
  }
  return (
    <Asked
      title={<Trans>Decline Email Change</Trans>}
      lead={<Trans>Your account keeps its present address, and the link stops working.</Trans>}
      button={<Trans>Keep the present address</Trans>}
      sending={sending}
      act={async () => {
        await answered(client.POST("/v1/auth/email-change/decline", { body: { token } }));
      }}
    />
  );
}

type AskedProps = {
  title: ReactNode;
  lead: ReactNode;
  button: ReactNode;
  sending: ReturnType<typeof useSending>;
  act: () => Promise<void>;
};

function Asked({ title, lead, button, sending, act }: AskedProps) {
  return (
    <Card title={title} lead={lead}>
      {sending.problem ? (
        <div style={{ marginBottom: 20 }}>
          <ProblemNote problem={sending.problem} />
        </div>
      ) : null}
      <Button size="lg" fullWidth loading={sending.busy} onClick={() => void sending.send(act)}>
        {button}
      </Button>
    </Card>
  );
}
