import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Skeleton, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { problemOf } from "~/shared/api/errors";
import { useFields } from "~/shared/forms/fields";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import { Status } from "~/shared/ui/notes/status";
import { Heading } from "~/shared/ui/screens/heading";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "../operations.module.css";
import { type Account, accountQuery } from "./account";
import { ErasePerson } from "./erase-person";
import { LockAccount } from "./lock-account";

/** One person's account, found by email address or id, and locked where it may be in wrong hands. */
export function AccountScreen({ who }: { who: string | undefined }) {
  const found = useQuery(accountQuery(who));
  const missing = found.data === null;
  return (
    <div className={classes.page}>
      <Heading focusKey={who}>
        <Trans>Account</Trans>
      </Heading>
      <Panel>
        <Find key={who} who={who} />
      </Panel>
      {who && found.isPending ? <Skeleton height={180} radius="lg" /> : null}
      {who && missing ? (
        <Note tone="plain">
          <Trans>Nobody has this email address or id.</Trans>
        </Note>
      ) : null}
      {who?.includes("@") && missing ? <Stranger email={who} /> : null}
      {found.isError ? (
        <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
      ) : null}
      {found.data ? <Found account={found.data} /> : null}
    </div>
  );
}

function Find({ who }: { who: string | undefined }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const form = useFields({ who: { rules: [], initial: who } }, { leavable: true });

  function find({ who: sought }: typeof form.texts) {
    void navigate({ to: "/operations/account", search: { who: sought.trim() || undefined } });
  }

  return (
    <form className={classes.settle} onSubmit={form.submit(find)} noValidate>
      <TextInput
        size="md"
        label={t`Email or id of a person`}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...form.field("who")}
      />
      <Button type="submit" size="md">
        <Trans>Look up</Trans>
      </Button>
    </form>
  );
}

/** Who has no account is named by runs and letters all the same: the owner of a car, who asked for something. */
function Stranger({ email }: { email: string }) {
  return (
    <Panel aria-label={email}>
      <div className={classes.account}>
        <p>
          <Trans>Without an account, an email may still stand in activations and letters.</Trans>
        </p>
        <ErasePerson key={email} person={{ email }} />
      </div>
    </Panel>
  );
}

function Found({ account }: { account: Account }) {
  return (
    <Panel aria-label={account.email}>
      <div className={classes.account}>
        <dl className={classes.facts}>
          <dt>
            <Trans>Name</Trans>
          </dt>
          <dd>{account.name}</dd>
          <dt>
            <Trans>Email</Trans>
          </dt>
          <dd>{account.email}</dd>
          {account.business_code ? (
            <>
              <dt>
                <Trans>Business code</Trans>
              </dt>
              <dd>{account.business_code}</dd>
            </>
          ) : null}
          <dt>
            <Trans>State</Trans>
          </dt>
          <dd>
            <AccountStatus account={account} />
          </dd>
          <dt>
            <Trans>What they did</Trans>
          </dt>
          <dd>
            <Link to="/audit" search={{ actor: `user:${account.id}` }}>
              <Trans>In the audit</Trans>
            </Link>
          </dd>
        </dl>
        <LockAccount account={account} />
        <ErasePerson person={account} />
      </div>
    </Panel>
  );
}

function AccountStatus({ account }: { account: Account }) {
  if (account.is_locked) {
    return (
      <Status tone="fail">
        <Trans>Locked</Trans>
      </Status>
    );
  }
  if (account.is_retired) return <Trans>Retired</Trans>;
  if (account.awaits_password) {
    return (
      <Status tone="wait">
        <Trans>Has no password yet</Trans>
      </Status>
    );
  }
  return (
    <Status tone="ok">
      <Trans>In use</Trans>
    </Status>
  );
}
