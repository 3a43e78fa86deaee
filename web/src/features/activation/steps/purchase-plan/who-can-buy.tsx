import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { HandOverDialog } from "../../dialogs/hand-over";
import { colleaguesQuery } from "../../queries";
import type { Run } from "../../session-hook";

/** For whoever may not buy: who at the dealer can, and the way to have it paid by one of them. */
export function WhoCanBuy({ run }: { run: Run }) {
  const [open, setOpen] = useState(false);
  const found = useQuery(colleaguesQuery(run.answer.id));
  const names = found.data?.results.filter(({ may_buy }) => may_buy).map(({ name }) => name);
  if (!names || names.length === 0) return null;
  const told = names.join(", ");
  return (
    <>
      <p>
        <Trans>Who can buy it: {told}</Trans>
      </p>
      <Button variant="outline" size="lg" onClick={() => setOpen(true)}>
        <Trans>Have it paid by a colleague</Trans>
      </Button>
      {open ? <HandOverDialog run={run} toPay onClose={() => setOpen(false)} /> : null}
    </>
  );
}
