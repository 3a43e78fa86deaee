import { Trans, useLingui } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { countryName } from "~/shared/addresses/regions";
import { Panel } from "~/shared/ui/screens/panel";
import type { Order } from "../queries";
import classes from "./addresses.module.css";

/** Where it is sent, and who is billed. */
export function Addresses({ order }: { order: Order }) {
  return (
    <Panel className={classes.addresses}>
      <Postal address={order.shippingAddress}>
        <Trans>Shipping address</Trans>
      </Postal>
      <Postal address={order.billingAddress}>
        <Trans>Billing address</Trans>
      </Postal>
    </Panel>
  );
}

type PostalProps = { address: Order["shippingAddress"]; children: ReactNode };

function Postal({ address, children }: PostalProps) {
  const { i18n } = useLingui();
  return (
    <div>
      <h2>{children}</h2>
      <address>
        {address.companyName}
        <br />
        {address.streetAddress1}
        <br />
        {address.city} {address.countryArea} {address.postalCode}
        <br />
        {countryName(address.country, i18n)}
      </address>
    </div>
  );
}
