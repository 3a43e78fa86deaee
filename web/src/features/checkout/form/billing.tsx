import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useId, useState } from "react";
import type { Cart } from "~/shared/cart/queries";
import classes from "../checkout.module.css";
import { Address, oneLine } from "../parts/address";
import { BillingForm } from "./billing-form";
import { billTo } from "./draft";
import { Folded } from "./folded";
import { Option } from "./option";
import type { useDraft } from "./use-draft";
import { usePicked } from "./use-picked";

type BillingProps = { cart: Cart; draft: ReturnType<typeof useDraft> };

/** Where the bill goes: an address of the business, or one that is typed. */
export function Billing({ cart, draft }: BillingProps) {
  const { t } = useLingui();
  const name = useId();
  const [typing, setTyping] = useState(false);
  const { billingAddresses, billingAddress: typed } = cart;
  const held = typed ? undefined : (cart.billingAddressId ?? billingAddresses[0]?.id);
  const { chosen, pick } = usePicked(held, draft);
  const present = chosen ? billingAddresses.find(({ id }) => id === chosen) : typed;
  return (
    <Folded title={t`Billing address`} decided={present && oneLine(present)}>
      <fieldset className={classes.choices} aria-label={t`Billing address`}>
        {billingAddresses.map((one) => (
          <Option
            key={one.id}
            name={name}
            checked={one.id === chosen}
            onChoose={() => pick(one.id, billTo({ billingAddressId: one.id }))}
          >
            <Address
              name={one.companyName}
              street={one.streetAddress1}
              city={one.city}
              area={one.countryArea}
              postalCode={one.postalCode}
              country={one.country}
            />
          </Option>
        ))}
        {typed ? (
          <Option name={name} checked={!chosen} onChoose={() => setTyping(true)}>
            <Address
              name={typed.companyName}
              street={typed.streetAddress1}
              city={typed.city}
              area={typed.countryArea}
              postalCode={typed.postalCode}
              country={typed.country}
            />
          </Option>
        ) : null}
      </fieldset>
      <Button variant="default" size="md" className={classes.start} onClick={() => setTyping(true)}>
        {typed ? <Trans>Change this address</Trans> : <Trans>Use another address</Trans>}
      </Button>
      {typing ? <BillingForm typed={typed} draft={draft} onClose={() => setTyping(false)} /> : null}
    </Folded>
  );
}
