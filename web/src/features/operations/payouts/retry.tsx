import { Trans, useLingui } from "@lingui/react/macro";
import { dollars } from "~/shared/catalogue/money";
import { Asked } from "./asked";
import { type Payout, retryPayout } from "./queries";

const RETRIED: readonly Payout["state"][] = ["refused", "returned", "paying"];

/** Money is sent: how much and to whom is asked first, and why. */
export function Retry({ of }: { of: Payout }) {
  const { t, i18n } = useLingui();
  if (!RETRIED.includes(of.state)) return "–";
  const { dealer, month } = of;
  // It may have gone out: then nothing is sent, but looked up.
  const isOut = of.state === "paying";
  const amount = dollars(i18n, of.amount);
  return (
    <Asked
      words={t`Try again`}
      name={t`Try again: ${dealer} ${month}`}
      told={<Trans>It is tried again.</Trans>}
      title={isOut ? t`Look what became of this payout?` : t`Send this payout again?`}
      said={
        isOut ? (
          <Trans>
            {amount} for {month} may be on its way to {dealer}: nothing is sent twice.
          </Trans>
        ) : (
          <Trans>
            {amount} for {month} is sent to the account of {dealer}.
          </Trans>
        )
      }
      label={isOut ? t`Why it is looked for` : t`Why it is sent again`}
      confirm={isOut ? t`Look for it` : t`Send ${amount}`}
      work={(note, key) => retryPayout(of, note, key)}
      intent={[of.dealer_id, of.month, of.attempt]}
    />
  );
}
