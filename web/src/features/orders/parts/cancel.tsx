import { Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Schemas } from "~/shared/api/client";
import { OlderPage } from "~/shared/flow/older-page";
import { type Flow, useFlow } from "~/shared/flow/use-flow";
import { useFields } from "~/shared/forms/fields";
import { PLACEMENT } from "~/shared/placements/flow";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "../orders.module.css";
import { cancelOrder, type Order, orderQuery, placementQuery } from "../queries";

type Placement = Schemas["PlacementAnswer"];
type Command = { type: "CANCEL"; reason: string };
type Run = Flow<Placement, Command>;

/** Gives the order up, as long as it was not handed over. Nothing else is in view of an order that went on. */
export function Cancel({ order }: { order: Order }) {
  const token = order.status === "placed" ? order.token : null;
  return token === null ? null : <OfItsRun id={order.id} token={token} />;
}

type OfItsRunProps = { id: string; token: string };

function OfItsRun({ id, token }: OfItsRunProps) {
  const first = useQuery(placementQuery(token)).data;
  return first ? <WhileItMay key={token} id={id} token={token} first={first} /> : null;
}

function WhileItMay({ id, token, first }: OfItsRunProps & { first: Placement }) {
  const run = useCancelling(id, token, first);
  const [open, setOpen] = useState<boolean>();
  const asks = run.can("CANCEL") || run.sent !== undefined || run.problem !== undefined;

  if (run.state === "compensating") {
    return (
      <Note tone="wait">
        <Trans>The order is being cancelled.</Trans>
      </Note>
    );
  }
  return (
    <>
      <OlderPage drift={run.drift} />
      {open && asks ? <Confirm run={run} onClose={() => setOpen(false)} /> : null}
      {!open && run.can("CANCEL") ? (
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
      ) : null}
    </>
  );
}

/** The run that places the order. The page reads both anew once that has answered. */
function useCancelling(id: string, token: string, first: Placement): Run {
  const cache = useQueryClient();
  const run = useFlow<Placement, Command>(first, {
    topic: `placement:${token}`,
    kind: PLACEMENT,
    send: ({ reason }, key) => cancelOrder(token, reason, key),
    read: () => cache.fetchQuery({ ...placementQuery(token), staleTime: 0 }),
  });
  const { sent } = run;
  const before = useRef(sent);
  useEffect(() => {
    const isAnswered = before.current !== undefined && sent === undefined;
    before.current = sent;
    if (!isAnswered) return;
    void cache.invalidateQueries({ queryKey: orderQuery(id).queryKey });
    void cache.invalidateQueries({ queryKey: placementQuery(token).queryKey });
  }, [cache, id, token, sent]);
  return run;
}

function Confirm({ run, onClose }: { run: Run; onClose: () => void }) {
  const { t } = useLingui();
  const form = useFields({ reason: { rules: [] } });
  const busy = run.sent !== undefined;
  const may = busy || run.can("CANCEL");

  /** The same words once more are the same command; others are another one. */
  function send(texts: typeof form.texts) {
    const reason = texts.reason.trim();
    if (run.again && run.failed?.reason === reason) run.again();
    else run.ask({ type: "CANCEL", reason });
  }

  return (
    <Panel aria-label={t`Cancel this order`}>
      <form className={classes.cancel} onSubmit={form.submit(send)} noValidate>
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
        <ProblemNote
          problem={run.problem}
          onRetry={run.problem?.passing && may ? () => send(form.texts) : undefined}
        />
        <div className={classes.actions}>
          <Button type="submit" size="md" loading={busy} disabled={!may}>
            <Trans>Cancel this order</Trans>
          </Button>
          <Button
            variant="default"
            size="md"
            disabled={busy}
            onClick={() => {
              run.dismiss();
              onClose();
            }}
          >
            <Trans>Keep the order</Trans>
          </Button>
        </div>
      </form>
    </Panel>
  );
}
