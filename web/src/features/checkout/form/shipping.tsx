import { Trans, useLingui } from "@lingui/react/macro";
import { useId } from "react";
import type { Cart } from "~/shared/cart/queries";
import { dollars } from "~/shared/catalogue/money";
import { Note } from "~/shared/ui/notes/note";
import classes from "../checkout.module.css";
import { Address, oneLine } from "../parts/address";
import { shipBy, shipTo } from "./draft";
import { Folded } from "./folded";
import { Option } from "./option";
import type { useDraft } from "./use-draft";
import { usePicked } from "./use-picked";

type ShippingProps = { cart: Cart; draft: ReturnType<typeof useDraft> };

/** Where the goods go, and how. */
export function Shipping({ cart, draft }: ShippingProps) {
  const { t, i18n } = useLingui();
  const where = useId();
  const how = useId();
  const { shippingAddresses, shippingMethods } = cart;
  const address = usePicked(cart.shippingAddress?.id, draft);
  const method = usePicked(cart.currentShippingMethod?.id, draft);
  const to = shippingAddresses.find(({ id }) => id === address.chosen);
  const by = shippingMethods.find(({ id }) => id === method.chosen);
  const decided = to && by && (
    <>
      {oneLine(to)} · <b>{by.name}</b>
    </>
  );
  return (
    <Folded title={t`Shipping`} decided={decided}>
      {shippingAddresses.length === 0 || shippingMethods.length === 0 ? (
        <Note tone="fail">
          <Trans>
            Your business has no shipping address yet. Please ask your sales rep to add one.
          </Trans>
        </Note>
      ) : null}
      <fieldset className={classes.choices}>
        <legend>
          <Trans>Ship to</Trans>
        </legend>
        {shippingAddresses.map((one) => (
          <Option
            key={one.id}
            name={where}
            checked={one.id === address.chosen}
            onChoose={() => address.pick(one.id, shipTo(one.id))}
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
      </fieldset>
      <fieldset className={classes.choices}>
        <legend>
          <Trans>Shipping method</Trans>
        </legend>
        {shippingMethods.map((one) => (
          <Option
            key={one.id}
            name={how}
            checked={one.id === method.chosen}
            onChoose={() => method.pick(one.id, shipBy(one.id))}
          >
            <b>{one.name}</b>
            <small>
              {one.price.amount === 0 ? (
                <Trans>Free</Trans>
              ) : one.freeFrom === null ? (
                dollars(i18n, one.price.amount)
              ) : (
                <Trans>
                  {dollars(i18n, one.price.amount)}, free from {dollars(i18n, one.freeFrom)}
                </Trans>
              )}
            </small>
          </Option>
        ))}
      </fieldset>
    </Folded>
  );
}
