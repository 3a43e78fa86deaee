import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useState } from "react";
import { dollars } from "~/shared/catalogue/money";
import { goOnBelow } from "~/shared/ui/hand-on";
import { LineItem, LineItems } from "~/shared/ui/lists/line-item";
import { Status } from "~/shared/ui/notes/status";

/** An article of a quote, or of an order that is being placed. */
type Line = {
  variant_id: string;
  sku: string;
  name: string;
  quantity: number;
  now: number;
  later: number;
  total: number;
  fault?: string | null;
};

const FAULTS: Partial<Record<string, MessageDescriptor>> = {
  not_for_purchase: msg`Not available for purchase any more. Please take it out.`,
  no_price: msg`Without a price at the moment. Please take it out or ask your sales rep.`,
};

/** So many are shown before somebody asks for all. */
const SHOWN = 8;

/** The articles, in few words. */
export function Lines({ lines }: { lines: readonly Line[] }) {
  const { t, i18n } = useLingui();
  const [all, setAll] = useState(false);
  const shown = all ? lines : lines.slice(0, SHOWN);
  const count = lines.length;
  return (
    <>
      <LineItems plain aria-label={t`Products`}>
        {shown.map((line) => (
          <LineItem
            key={line.variant_id}
            name={line.name}
            code={`${line.sku} × ${line.quantity}`}
            amount={line.fault ? "—" : dollars(i18n, line.total)}
          >
            {line.fault ? (
              <Status tone="fail">
                {i18n._(FAULTS[line.fault] ?? msg`This cannot be bought.`)}
              </Status>
            ) : line.later > 0 ? (
              <Status tone="wait">
                {line.now > 0 ? (
                  <Trans>
                    {line.now} now, {line.later} later
                  </Trans>
                ) : (
                  <Trans>{line.later} later, on backorder</Trans>
                )}
              </Status>
            ) : null}
          </LineItem>
        ))}
      </LineItems>
      {shown.length < count ? (
        <Button
          variant="default"
          size="md"
          onClick={({ currentTarget }) => {
            goOnBelow(currentTarget);
            setAll(true);
          }}
        >
          <Trans>Show all {count} products</Trans>
        </Button>
      ) : null}
    </>
  );
}
