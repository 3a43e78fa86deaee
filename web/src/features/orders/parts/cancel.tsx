import { Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import { Note, ProblemNote } from "~/shared/ui/note";
import { Panel } from "~/shared/ui/panel";
import classes from "../orders.module.css";
import { cancelOrder, type Order, orderQuery, placementQuery } from "../queries";

/** Gives the order up, as long as it was not handed over. Nothing else is in view of an order that went on. */
export function Cancel({ order }: { order: Order }) {
  const token = order.status === "placed" ? order.token : null;
  return token === null ? null : <WhileItMay id={order.id} token={token} />;
}

type WhileItMayProps = { id: string; token: string };

function WhileItMay({ id, token }: WhileItMayProps) {
  const run = useQuery(placementQuery(token));
  const [open, setOpen] = useState<boolean>();

  if (run.data?.state === "compensating") {
    return (
      <Note tone="wait">
        <Trans>The order is being cancelled.</Trans>
      </Note>
    );
  }
  if (!run.data?.allowed.includes("CANCEL")) return null;
  if (open) return <Confirm id={id} token={token} onClose={() => setOpen(false)} />;
  return (
    <div className={classes.actions}>
      <Button
        variant="default"
        size="md"
        autoFocus={open === false} // whoever keeps the order is back where they were
        onClick={() => setOpen(true)}
      >
        <Trans>Cancel this order</Trans>
      </Button>
    </div>
  );
}

function Confirm({ id, token, onClose }: WhileItMayProps & { onClose: () => void }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const form = useFields({ reason: { rules: [] } });
  const { busy, problem, send } = useSend();

  async function cancel({ reason }: typeof form.texts) {
    const why = reason.trim();
    const refused = await send((key) => cancelOrder(token, why, key), why);
    if (refused) form.refuse(refused);
    else onClose();
    await Promise.all([
      cache.invalidateQueries({ queryKey: placementQuery(token).queryKey }),
      cache.invalidateQueries({ queryKey: orderQuery(id).queryKey }),
    ]);
  }

  return (
    <Panel aria-label={t`Cancel this order`}>
      <form className={classes.cancel} onSubmit={form.submit(cancel)} noValidate>
        <h2>
          <Trans>Cancel the order?</Trans>
        </h2>
        <p>
          <Trans>Nothing is charged, and nothing is sent.</Trans>
        </p>
        <TextInput
          size="md"
          label={t`Why? (optional)`}
          maxLength={500}
          autoFocus
          {...form.field("reason")}
        />
        <ProblemNote problem={problem} besideFields />
        <div className={classes.actions}>
          <Button type="submit" size="md" loading={busy}>
            <Trans>Cancel this order</Trans>
          </Button>
          <Button variant="default" size="md" disabled={busy} onClick={onClose}>
            <Trans>Keep the order</Trans>
          </Button>
        </div>
      </form>
    </Panel>
  );
}
