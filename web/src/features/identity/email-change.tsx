import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { answered, client } from "~/shared/api/client";
import { useSend } from "~/shared/api/send";
import { end } from "~/shared/session/session";
import { ProblemNote } from "~/shared/ui/notes/note";
import { Card } from "./card";
import { ToLogin } from "./to-login";

type EmailChangeProps = { token: string | undefined };

/** Taking the new address. The link only opened this page; its button acts. */
export function AcceptEmailScreen({ token = "" }: EmailChangeProps) {
  const sending = useSend();
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
        end("elsewhere");
      }}
    />
  );
}

/** Ending the link; the present address stays. */
export function DeclineEmailScreen({ token = "" }: EmailChangeProps) {
  const sending = useSend();
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
      act={() => answered(client.POST("/v1/auth/email-change/decline", { body: { token } }))}
    />
  );
}

/** "This was not me", from the address that the account had before: it is back, and the account is locked. */
export function RevertEmailScreen({ token = "" }: EmailChangeProps) {
  const sending = useSend();
  if (sending.done) {
    return (
      <Card
        focusKey="done"
        title={<Trans>Your account is safe</Trans>}
        lead={
          <Trans>
            It has this address again, and it is locked. Choose a new password to unlock it.
          </Trans>
        }
      >
        <ToReset />
      </Card>
    );
  }
  if (sending.problem?.code === "link_used") {
    return (
      <Card
        focusKey="used"
        title={<Trans>This link has done its work</Trans>}
        lead={
          <Trans>
            Your account has its old address, and was locked. If you have not chosen a new password
            since, do so now.
          </Trans>
        }
      >
        <ToReset />
      </Card>
    );
  }
  if (sending.problem?.code === "link_ended") {
    return (
      <Card
        focusKey="ended"
        title={<Trans>This link has ended</Trans>}
        lead={
          <Trans>
            It was valid for 7 days. Is your account in wrong hands?{" "}
            <Link to="/contact-us">Contact us</Link>, and we lock it.
          </Trans>
        }
      />
    );
  }
  return (
    <Asked
      title={<Trans>This Was Not Me</Trans>}
      lead={
        <Trans>
          Your account gets its old address back. Everybody is logged out, and it stays locked until
          you choose a new password.
        </Trans>
      }
      button={<Trans>Take the address back and lock</Trans>}
      sending={sending}
      act={async () => {
        await answered(client.POST("/v1/auth/email-change/revert", { body: { token } }));
        end("elsewhere");
      }}
    />
  );
}

function ToReset() {
  return (
    <Button size="lg" fullWidth renderRoot={(props) => <Link to="/forgot-password" {...props} />}>
      <Trans>Choose a new password</Trans>
    </Button>
  );
}

type AskedProps = {
  title: ReactNode;
  lead: ReactNode;
  button: ReactNode;
  sending: ReturnType<typeof useSend>;
  act: () => Promise<void>;
};

function Asked({ title, lead, button, sending, act }: AskedProps) {
  if (sending.problem?.code === "link_ended")
    return (
      <Card focusKey="ended" title={title}>
        <ProblemNote problem={sending.problem} />
      </Card>
    );
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
