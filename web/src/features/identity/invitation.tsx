import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { answered, client, type Schemas } from "~/shared/api/client";
import { problemOf } from "~/shared/api/errors";
import { asking } from "~/shared/api/operation";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import { NameFields } from "~/shared/forms/name-fields";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import { PageSkeleton } from "~/shared/ui/screens/page-skeleton";
import { Card } from "./card";
import classes from "./sign-in/sign-in-form.module.css";
import { ToLogin } from "./to-login";

type Invited = Schemas["Invited"];

/** What a mailed token is about. Reading uses nothing up. */
const invitationQuery = (token: string) =>
  queryOptions({
    ...asking("post", "/v1/auth/invitations/read", { body: { token } }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

type InvitationScreenProps = { token: string | undefined };

/** Accepting an invitation. The link only opened this page; its button answers. */
export function AcceptInviteScreen({ token = "" }: InvitationScreenProps) {
  const invited = useQuery(invitationQuery(token));
  const [joined, setJoined] = useState(false);
  const title = <Trans>Accept Invitation</Trans>;
  if (invited.isPending) return <PageSkeleton />;
  if (!invited.data) return <Unread title={title} invited={invited} />;
  if (joined) {
    return (
      <Card
        focusKey="joined"
        title={<Trans>Welcome to {invited.data.business}</Trans>}
        lead={<Trans>Log in to start.</Trans>}
      >
        <ToLogin />
      </Card>
    );
  }
  return (
    <Card
      title={title}
      lead={<Asked invited={invited.data} />}
      below={
        <Link to="/decline-invite" search={{ token }}>
          <Trans>Decline instead</Trans>
        </Link>
      }
    >
      <AcceptForm token={token} invited={invited.data} onJoined={() => setJoined(true)} />
    </Card>
  );
}

type UnreadProps = { title: ReactNode; invited: { error: unknown; refetch: () => unknown } };

/** Why nothing is known of the link. It is read again where that may help: it came by mail, and holds for days. */
function Unread({ title, invited }: UnreadProps) {
  const problem = problemOf(invited.error);
  const mayPass = problem.passing || problem.unexpected;
  return (
    <Card title={title}>
      <ProblemNote problem={problem} onRetry={mayPass ? () => void invited.refetch() : undefined} />
    </Card>
  );
}

type AcceptFormProps = { token: string; invited: Invited; onJoined: () => void };

function AcceptForm({ token, invited, onJoined }: AcceptFormProps) {
  const navigate = useNavigate();
  const sending = useSend();
  const needed = invited.has_account ? (["name"] as const) : (["required", "name"] as const);
  const form = useFields({ first_name: { rules: needed }, last_name: { rules: needed } });

  async function accept(texts: typeof form.texts) {
    const names = invited.has_account ? {} : texts;
    const body = { token, ...names };
    const problem = await sending.send(async (key) => {
      const params = { header: { "Idempotency-Key": key } };
      const answer = await answered(client.POST("/v1/auth/invitations/accept", { params, body }));
      if (!answer.registration_token) return onJoined();
      form.reset();
      await navigate({ to: "/set-password", search: { token: answer.registration_token } });
    }, body);
    if (problem) form.refuse(problem);
  }

  return (
    <form className={classes.form} onSubmit={form.submit(accept)} noValidate>
      <ProblemNote problem={sending.problem} besideFields />
      {invited.has_account ? null : <NameFields form={form} />}
      <Button type="submit" size="lg" fullWidth loading={sending.busy}>
        <Trans>Accept</Trans>
      </Button>
    </form>
  );
}

/** Declining an invitation, by the button. */
export function DeclineInviteScreen({ token = "" }: InvitationScreenProps) {
  const invited = useQuery(invitationQuery(token));
  const sending = useSend();
  const title = <Trans>Decline Invitation</Trans>;
  if (invited.isPending) return <PageSkeleton />;
  if (!invited.data) return <Unread title={title} invited={invited} />;
  if (sending.done) {
    return (
      <Card
        focusKey="declined"
        title={<Trans>You declined</Trans>}
        lead={<Trans>We tell {invited.data.business}. You need not do anything else.</Trans>}
      />
    );
  }
  return (
    <Card title={title} lead={<Asked invited={invited.data} />}>
      <div className={classes.form}>
        <ProblemNote problem={sending.problem} />
        <Button
          size="lg"
          fullWidth
          loading={sending.busy}
          onClick={() =>
            void sending.send(
              (key) =>
                answered(
                  client.DELETE("/v1/user/invite/decline", {
                    params: { header: { "Idempotency-Key": key } },
                    body: { token },
                  }),
                ),
              token,
            )
          }
        >
          <Trans>Decline</Trans>
        </Button>
        <Note tone="plain">
          <Trans>The link stops working once you have declined.</Trans>
        </Note>
      </div>
    </Card>
  );
}

function Asked({ invited }: { invited: Invited }) {
  return (
    <Trans>
      {invited.invited_by} invites {invited.email} to work as an installer at {invited.business}.
    </Trans>
  );
}
