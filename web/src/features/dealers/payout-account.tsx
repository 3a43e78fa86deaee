import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Skeleton } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { answered, client, type Schemas } from "~/shared/api/client";
import { problemOf } from "~/shared/api/errors";
import { useSend } from "~/shared/api/send";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import { Status } from "~/shared/ui/notes/status";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "./dealers.module.css";
import { payoutAccountQuery } from "./queries";

type Account = Schemas["PayoutAccountOut"];

/** How one comes here from the card provider's page: done with it, or because it had expired. */
export type Return = "back" | "expired";

type AccountProps = { dealerId: string; isOwner: boolean; from: Return | undefined };

/** The account to which rewards are paid. Owners set it up on the card provider's own page; others see how far it is. */
export function PayoutAccount({ dealerId, isOwner, from }: AccountProps) {
  const found = useQuery(payoutAccountQuery(dealerId));
  const { busy, problem, open } = useOpening(dealerId);
  const navigate = useNavigate();
  const [came] = useState(from);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when one comes back
  useEffect(() => {
    if (!came || !isOwner) return;
    void open().then(() => navigate({ to: "/my-business", search: {}, replace: true }));
  }, []);

  return (
    <Panel className={classes.panel} aria-labelledby="payout-account">
      <h2 id="payout-account">
        <Trans>Payout account</Trans>
      </h2>
      {found.error ? (
        <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
      ) : null}
      {found.isPending ? <Skeleton height={90} radius="lg" /> : null}
      {found.data ? <AccountStatus account={found.data} /> : null}
      {came === "expired" ? (
        <Note tone="wait">
          <Trans>That page had expired. There is a new one.</Trans>
        </Note>
      ) : null}
      {found.data && isOwner ? (
        <Way account={found.data} busy={busy} onOpen={() => void open()} />
      ) : null}
      <ProblemNote problem={problem} />
    </Panel>
  );
}

/** Asks the provider, and brings a new page. */
function useOpening(dealerId: string) {
  const cache = useQueryClient();
  const { busy, problem, send } = useSend();
  const open = () =>
    send(async () => {
      const opened = await answered(
        client.POST("/v1/dealers/{id}/payout-account", { params: { path: { id: dealerId } } }),
      );
      cache.setQueryData(payoutAccountQuery(dealerId).queryKey, opened);
    }, "open");
  return { busy, problem, open };
}

function AccountStatus({ account }: { account: Account }) {
  switch (account.state) {
    case "not_begun":
      return (
        <p>
          <Trans>
            Rewards are paid to an account at our card provider. The business has none yet.
          </Trans>
        </p>
      );
    case "incomplete":
      return (
        <Status tone="wait">
          <Trans>The account is not set up completely.</Trans>
        </Status>
      );
    case "more_needed":
      return (
        <Status tone="wait">
          {account.can_be_paid ? (
            <Trans>The card provider wants to know more. Until then rewards are still paid.</Trans>
          ) : (
            <Trans>The card provider wants to know more before it pays rewards.</Trans>
          )}
        </Status>
      );
    case "complete":
      return (
        <Status tone="ok">
          <Trans>Rewards are paid to this account.</Trans>
        </Status>
      );
  }
}

type WayProps = { account: Account; busy: boolean; onOpen: () => void };

/** To the provider's page, while there is one that opens; otherwise to a new one. */
function Way({ account, busy, onOpen }: WayProps) {
  const { i18n } = useLingui();
  const until = account.stripe_onboarding_url_expires_at;
  const isOpen = useUntil(until);
  const isComplete = account.state === "complete";
  const page = isComplete
    ? account.stripe_login_link
    : isOpen
      ? account.stripe_onboarding_url
      : null;
  if (account.state === "not_begun") {
    return (
      <div className={classes.actions}>
        <Button size="md" loading={busy} onClick={onOpen}>
          <Trans>Set up the payout account</Trans>
        </Button>
      </div>
    );
  }
  return (
    <>
      {!isComplete && until ? (
        <p className={classes.soft}>
          {isOpen ? (
            <Trans>
              The page for it opens once, until{" "}
              {i18n.date(until, { hour: "numeric", minute: "2-digit" })}.
            </Trans>
          ) : (
            <Trans>The page for it has expired.</Trans>
          )}
        </p>
      ) : null}
      <div className={classes.actions}>
        {page ? (
          <Button size="md" component="a" href={page} rel="noreferrer">
            {isComplete ? (
              <Trans>Open the payout account</Trans>
            ) : (
              <Trans>Continue setting it up</Trans>
            )}
          </Button>
        ) : null}
        <Button size="md" variant={page ? "default" : "filled"} loading={busy} onClick={onOpen}>
          {isComplete ? <Trans>Renew the link</Trans> : <Trans>Renew the page</Trans>}
        </Button>
      </div>
    </>
  );
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Whether a moment is still to come; told anew when it has come. */
function useUntil(moment: string | null | undefined): boolean {
  const [now, setNow] = useState(Date.now);
  const left = moment ? Date.parse(moment) - now : 0;
  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => setNow(Date.now()), Math.min(left, LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  }, [left]);
  return left > 0;
}
