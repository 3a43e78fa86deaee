import { Trans, useLingui } from "@lingui/react/macro";
import { dollars } from "~/shared/catalogue/money";
import type { PaymentMethods } from "~/shared/payments/types";
import { Panel } from "~/shared/ui/screens/panel";

type CreditProps = { left: number | null; allowed: PaymentMethods["allowed"] };

/** The ways to pay that need nothing saved. */
export function Credit({ left, allowed }: CreditProps) {
  const { i18n } = useLingui();
  if (!allowed.cod && !allowed.terms) return null;
  const sum = left === null ? undefined : dollars(i18n, Math.max(left, 0));
  return (
    <Panel aria-labelledby="account">
      <h2 id="account">
        <Trans>On account</Trans>
      </h2>
      <p>
        {allowed.terms && sum ? (
          <Trans>Payment terms: {sum} of the credit is left.</Trans>
        ) : allowed.terms ? (
          <Trans>Payment terms can be chosen at checkout.</Trans>
        ) : null}{" "}
        {allowed.cod ? <Trans>COD can be chosen at checkout.</Trans> : null}
      </p>
    </Panel>
  );
}
