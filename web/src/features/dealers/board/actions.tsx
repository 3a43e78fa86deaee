import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import { useSession } from "~/shared/session/session";
import { Choice } from "~/shared/ui/fields/choice";
import { ProblemNote } from "~/shared/ui/notes/note";
import classes from "../dealers.module.css";
import { teamQuery } from "../queries";
import { boardKey, handOver, type OpenActivation, remind } from "./queries";

type ActionsProps = { one: OpenActivation; dealerId: string };

/** Opens an activation, reminds its owner, or takes it over. A rep hands it to somebody of the team instead. */
export function Actions({ one, dealerId }: ActionsProps) {
  const { t } = useLingui();
  const now = useSession();
  const cache = useQueryClient();
  const reminding = useSend();
  const taking = useSend();
  const [choosing, setChoosing] = useState(false);
  const me = now.state === "anonymous" ? undefined : now.user;
  const isMine = one.owner_id === me?.id;
  const isColleague = me?.dealer_id === one.dealer_id;
  const device = one.device_key;

  async function give(to: string) {
    const problem = await taking.send((key) => handOver(one, to, key));
    await cache.invalidateQueries({ queryKey: boardKey(dealerId) });
    if (!problem) setChoosing(false);
  }

  return (
    <span className={classes.actions}>
      <Link
        to="/activation/device"
        search={{ id: one.id, step: one.step }}
        className={classes.way}
        aria-label={t`Open it: ${device}`}
      >
        <Trans>Open it</Trans>
      </Link>
      {isMine || one.owner_id === null || one.owner_is_gone ? null : (
        <Button
          variant="default"
          size="md"
          loading={reminding.busy}
          disabled={reminding.done > 0}
          aria-label={reminding.done > 0 ? t`Reminded: ${device}` : t`Remind: ${device}`}
          onClick={() => void reminding.send((key) => remind(one.id, key), one.id)}
        >
          {reminding.done > 0 ? <Trans>Reminded</Trans> : <Trans>Remind</Trans>}
        </Button>
      )}
      {isColleague && me && !isMine ? (
        <Button
          variant="default"
          size="md"
          loading={taking.busy}
          aria-label={t`Take over: ${device}`}
          onClick={() => void give(me.id)}
        >
          <Trans>Take over</Trans>
        </Button>
      ) : null}
      {isColleague ? null : (
        <Button
          variant="default"
          size="md"
          aria-expanded={choosing}
          aria-label={t`Hand over: ${device}`}
          onClick={() => setChoosing(!choosing)}
        >
          <Trans>Hand over</Trans>
        </Button>
      )}
      {choosing ? (
        <Somebody
          dealerId={dealerId}
          besides={one.owner_id}
          busy={taking.busy}
          onChoose={(to) => void give(to)}
        />
      ) : null}
      <ProblemNote problem={reminding.problem} />
      <ProblemNote problem={taking.problem} />
    </span>
  );
}

type SomebodyProps = {
  dealerId: string;
  besides: string | null;
  busy: boolean;
  onChoose: (id: string) => void;
};

/** Who goes on with it: those of the team who are not retired. */
function Somebody({ dealerId, besides, busy, onChoose }: SomebodyProps) {
  const { t } = useLingui();
  const found = useQuery(teamQuery(dealerId));
  const form = useFields({ to: { rules: ["required"] } }, { leavable: true });
  const people = (found.data?.results ?? []).filter(
    ({ id, is_retired }) => !is_retired && id !== besides,
  );
  return (
    <form className={classes.actions} onSubmit={form.submit(({ to }) => onChoose(to))} noValidate>
      <Choice
        label={t`Who goes on?`}
        placeholder={t`Choose`}
        {...form.choice("to")}
        options={people.map(({ id, first_name, last_name }) => ({
          value: id,
          label: `${first_name} ${last_name}`,
        }))}
      />
      <Button type="submit" size="md" loading={busy}>
        <Trans>Hand over</Trans>
      </Button>
    </form>
  );
}
