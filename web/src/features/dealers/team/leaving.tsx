import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { answered, client } from "~/shared/api/client";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import { Choice } from "~/shared/ui/fields/choice";
import { ProblemNote } from "~/shared/ui/notes/note";
import classes from "../dealers.module.css";
import { type Installer, ofDealer, teamQuery } from "../queries";

/** Hands all open activations of somebody to a colleague, ten at a time, and says how many are left. */
export function OpenWork({ one, dealerId }: { one: Installer; dealerId: string }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const team = useQuery(teamQuery(dealerId));
  const sending = useSend();
  const form = useFields({ to: { rules: ["required"] } }, { leavable: true });
  const [left, setLeft] = useState<number>();
  const name = `${one.first_name} ${one.last_name}`;
  const colleagues = (team.data?.results ?? []).filter(
    ({ id, is_retired }) => id !== one.id && !is_retired,
  );

  async function handOver({ to }: typeof form.texts) {
    await sending.send(async (key) => {
      for (let call = 1; ; call += 1) {
        const { handed, left: rest } = await answered(
          client.POST("/v1/dealers/{id}/hand-over", {
            params: { path: { id: dealerId }, header: { "Idempotency-Key": `${key}-${call}` } },
            body: { from_id: one.id, to_id: to },
          }),
        );
        setLeft(rest);
        if (rest === 0 || handed === 0) return;
      }
    });
    await cache.invalidateQueries({ predicate: ofDealer(dealerId) });
  }

  return (
    <form className={classes.actions} onSubmit={form.submit(handOver)} noValidate>
      <Choice
        label={t`Who takes over the open work of ${name}?`}
        placeholder={t`Choose`}
        {...form.choice("to")}
        options={colleagues.map(({ id, first_name, last_name }) => ({
          value: id,
          label: `${first_name} ${last_name}`,
        }))}
      />
      <Button
        type="submit"
        size="md"
        loading={sending.busy}
        aria-label={t`Hand over all of it: ${name}`}
      >
        <Trans>Hand over all of it</Trans>
      </Button>
      {left ? (
        <span role="status">
          <Trans>Still to be handed over: {left}. What is changing just now goes next time.</Trans>
        </span>
      ) : null}
      <ProblemNote problem={sending.problem} />
    </form>
  );
}
