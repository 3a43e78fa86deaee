import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Button, Skeleton } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { answered, client } from "~/shared/api/client";
import { problemOf } from "~/shared/api/errors";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import { personOf, useSession } from "~/shared/session/session";
import { loadWork } from "~/shared/session/work";
import { Age } from "~/shared/time/age";
import { Confirm } from "~/shared/ui/dialogs/confirm";
import { PasswordField } from "~/shared/ui/fields/password-field";
import { ProblemNote } from "~/shared/ui/notes/note";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "../dealers.module.css";
import { type Installer, type InstallersPage, ofDealer, teamQuery } from "../queries";
import { OpenWork } from "./leaving";
import { PurchaseLimits } from "./limits";

/** Everybody of the business with their rights, which an owner may change. */
export function Team({ dealerId, isOwner }: { dealerId: string; isOwner: boolean }) {
  const found = useQuery(teamQuery(dealerId));
  return (
    <Panel className={classes.panel} aria-labelledby="team">
      <div className={classes.head}>
        <h2 id="team">
          <Trans>Team</Trans>
        </h2>
        <Link to="/team" className={classes.way}>
          <Trans>See the team at work</Trans>
        </Link>
      </div>
      {found.isPending ? <Skeleton height={220} radius="lg" /> : null}
      {found.error ? (
        <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
      ) : null}
      <ul className={classes.list}>
        {(found.data?.results ?? []).map((one) => (
          <Person key={one.id} one={one} dealerId={dealerId} isOwner={isOwner} />
        ))}
      </ul>
    </Panel>
  );
}

type PersonProps = { one: Installer; dealerId: string; isOwner: boolean };

function Person({ one, dealerId, isOwner }: PersonProps) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const sending = useSend();
  const [retiring, setRetiring] = useState(false);
  const [making, setMaking] = useState(false);
  const [handing, setHanding] = useState(false);
  const [limiting, setLimiting] = useState(false);
  const name = `${one.first_name} ${one.last_name}`;
  const isMe = one.id === personOf(useSession());

  const reload = () => cache.invalidateQueries({ predicate: ofDealer(dealerId) });

  async function change(body: { is_retired?: boolean; is_purchaser?: boolean }) {
    const refused = await sending.send((key) =>
      answered(
        client.PATCH("/v1/installer/{id}", {
          params: { path: { id: one.id } },
          headers: { "Idempotency-Key": key },
          body,
        }),
      ),
    );
    // Whoever retires is sent home; where that cannot be asked now, the next look at the tab does.
    if (isMe && !refused) await loadWork().catch(() => undefined);
    return refused;
  }

  async function retire(is_retired: boolean) {
    await change({ is_retired });
    setRetiring(false);
    await reload();
  }

  /** Shown at once, and taken back when the server refuses. */
  async function permit(is_purchaser: boolean) {
    const { queryKey } = teamQuery(dealerId);
    await cache.cancelQueries({ queryKey });
    const before = cache.getQueryData(queryKey);
    cache.setQueryData(queryKey, before && withPerson(before, { ...one, is_purchaser }));
    if (await change({ is_purchaser })) cache.setQueryData(queryKey, before);
    await reload();
  }

  return (
    <li>
      <span>
        <strong>{name}</strong> · <Role one={one} />
      </span>
      <span className={classes.soft}>
        {one.email} ·{" "}
        {one.last_seen_at ? (
          <Trans>
            last seen <Age since={one.last_seen_at} />
          </Trans>
        ) : (
          <Trans>never seen</Trans>
        )}{" "}
        ·{" "}
        <Plural
          value={one.open_activations}
          _0="no open activations"
          one="# open activation"
          other="# open activations"
        />
      </span>
      {one.open_activations > 0 && (one.is_retired || handing) ? (
        <OpenWork one={one} dealerId={dealerId} />
      ) : null}
      <span className={classes.actions}>
        <Link to="/rewards/$id" params={{ id: one.id }} className={classes.way}>
          <Trans>Employee Rewards</Trans>
        </Link>
        <Button
          variant="default"
          size="md"
          loading={one.is_retired && sending.busy}
          aria-label={one.is_retired ? t`Bring back ${name}` : t`Retire ${name}`}
          onClick={() => (one.is_retired ? void retire(false) : setRetiring(true))}
        >
          {one.is_retired ? <Trans>Bring back</Trans> : <Trans>Retire</Trans>}
        </Button>
        {one.is_owner || one.is_retired ? null : (
          <Button
            variant="default"
            size="md"
            loading={sending.busy}
            aria-label={one.is_purchaser ? t`Take the right to buy: ${name}` : t`Let buy: ${name}`}
            onClick={() => void permit(!one.is_purchaser)}
          >
            {one.is_purchaser ? <Trans>Take the right to buy</Trans> : <Trans>Let buy</Trans>}
          </Button>
        )}
        {one.open_activations > 0 && !one.is_retired ? (
          <Button
            variant="default"
            size="md"
            aria-expanded={handing}
            aria-label={t`Hand over open work: ${name}`}
            onClick={() => setHanding(!handing)}
          >
            <Trans>Hand over open work</Trans>
          </Button>
        ) : null}
        {isOwner && one.is_purchaser && !one.is_owner && !one.is_retired ? (
          <Button
            variant="default"
            size="md"
            disabled={sending.busy}
            aria-expanded={limiting}
            aria-label={t`Limits: ${name}`}
            onClick={() => setLimiting(!limiting)}
          >
            <Trans>Limits</Trans>
          </Button>
        ) : null}
        {isOwner && !one.is_owner && !one.is_retired ? (
          <Button
            variant="default"
            size="md"
            aria-expanded={making}
            aria-label={t`Make owner: ${name}`}
            onClick={() => setMaking(!making)}
          >
            <Trans>Make owner</Trans>
          </Button>
        ) : null}
      </span>
      <ProblemNote problem={sending.problem} />
      {retiring ? (
        <Confirm
          title={t`Retire ${name}?`}
          confirm={t`Retire`}
          busy={sending.busy}
          onConfirm={() => void retire(true)}
          onClose={() => setRetiring(false)}
        >
          {isMe ? (
            <Trans>
              You may do nothing more for your business until another owner brings you back. Your
              open activations stay, and can be handed over.
            </Trans>
          ) : (
            <Trans>
              {name} may do nothing more for your business until you bring them back. Their open
              activations stay, and can be handed over.
            </Trans>
          )}
        </Confirm>
      ) : null}
      {limiting ? <PurchaseLimits one={one} /> : null}
      {making ? <MakeOwner one={one} dealerId={dealerId} onDone={() => setMaking(false)} /> : null}
    </li>
  );
}

function withPerson(team: InstallersPage, person: Installer): InstallersPage {
  return { ...team, results: team.results.map((one) => (one.id === person.id ? person : one)) };
}

function Role({ one }: { one: Installer }) {
  if (one.is_retired) return <Trans>retired</Trans>;
  if (one.is_owner) return <Trans>owner</Trans>;
  return one.is_purchaser ? <Trans>installer and purchaser</Trans> : <Trans>installer</Trans>;
}

type MakeOwnerProps = { one: Installer; dealerId: string; onDone: () => void };

function MakeOwner({ one, dealerId, onDone }: MakeOwnerProps) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const sending = useSend();
  const form = useFields({ password: { rules: ["required"], verbatim: true } });

  async function make({ password }: typeof form.texts) {
    const problem = await sending.send(async (key) => {
      await answered(
        client.POST("/v1/dealers/{id}/owners", {
          params: { path: { id: dealerId } },
          headers: { "Idempotency-Key": key },
          body: { user_id: one.id, password },
        }),
      );
    });
    if (problem) return form.refuse(problem);
    onDone();
    await cache.invalidateQueries({ predicate: ofDealer(dealerId) });
  }

  return (
    <form className={classes.panel} onSubmit={form.submit(make)} noValidate>
      <p>
        <Trans>An owner may do all that you may. Every owner is told by mail.</Trans>
      </p>
      <ProblemNote problem={sending.problem} besideFields />
      <PasswordField
        label={t`Password, to be sure that it is you`}
        autoComplete="current-password"
        {...form.field("password")}
      />
      <Button type="submit" size="md" loading={sending.busy}>
        <Trans>Make owner</Trans>
      </Button>
    </form>
  );
}
