import { Trans, useLingui } from "@lingui/react/macro";
import { dollars } from "~/shared/catalogue/money";
import { Asked } from "./asked";
import { type Payout, settlePayout } from "./queries";

const SETTLED: readonly Payout["state"][] = ["refused", "returned"];

/** A payout that was paid in another way is taken off the list, with a word of how. */
export function SettleOtherwise({ of }: { of: Payout }) {
  const { t, i18n } = useLingui();
  if (!SETTLED.includes(of.state)) return null;
  const { dealer, month } = of;
  const amount = dollars(i18n, of.amount);
  return (
    <Asked
      words={t`Settled otherwise`}
      name={t`Settled otherwise: ${dealer} ${month}`}
      title={t`Settled otherwise`}
      said={
        <Trans>
          {amount} for {month} is not sent to {dealer} any more, and leaves the list.
        </Trans>
      }
      label={t`How it was settled`}
      confirm={t`Take it off the list`}
      work={(note, key) => settlePayout(of, note, key)}
      intent={[of.dealer_id, of.month]}
    />
  );
}
