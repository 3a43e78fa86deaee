import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { QuantityField } from "~/shared/cart/quantity-field";
import type { Cart, CartLine } from "~/shared/cart/queries";
import { LinePicture } from "~/shared/catalogue/line-picture";
import { dollars } from "~/shared/catalogue/money";
import { Price } from "~/shared/catalogue/price";
import type { Slugged } from "~/shared/navigation/catalogue";
import { handOn } from "~/shared/ui/hand-on";
import { LineItem } from "~/shared/ui/lists/line-item";
import { Status } from "~/shared/ui/notes/status";
import { CrossIcon } from "~/shared/ui/pictures/icons";
import type { VehicleKey } from "~/shared/vehicles/address";
import classes from "./line.module.css";
import { LineVehicle } from "./line-vehicle";

type LineProps = {
  line: CartLine;
  vehicles: Cart["vehicles"];
  brands: readonly Slugged[];
  onVehicle: (vehicle: VehicleKey | null) => void;
  onChange: (quantity: number) => unknown;
  onRemove: () => void;
};

const FAULTS: Partial<Record<NonNullable<CartLine["fault"]>, MessageDescriptor>> = {
  not_for_purchase: msg`Not available for purchase any more. Please take it out.`,
  no_price: msg`Without a price at the moment. Please take it out or ask your sales rep.`,
};

/** An article in the cart: what it is, how many, what comes when, and what it costs. */
export function Line({ line, vehicles, brands, onVehicle, onChange, onRemove }: LineProps) {
  const { t, i18n } = useLingui();
  const { variant, quantity, fault } = line;
  const words = fault ? FAULTS[fault] : undefined;
  return (
    <LineItem
      picture={
        <LinePicture
          url={variant.image.url}
          name={variant.name}
          sku={variant.sku}
          brands={brands}
        />
      }
      name={
        <Link to="/product/{-$id}" params={{ id: variant.productId }}>
          {variant.name}
        </Link>
      }
      code={
        <>
          <span className="quiet">
            <Trans>SKU</Trans>{" "}
          </span>
          {variant.sku}
        </>
      }
      count={<QuantityField value={quantity} of={variant.name} onChange={onChange} />}
      amount={
        <>
          <span className="quiet">
            <Trans>Total</Trans>{" "}
          </span>
          {line.totalPrice ? dollars(i18n, line.totalPrice.net.amount) : "—"}
        </>
      }
      action={
        <button
          ref={handOn}
          type="button"
          className={classes.remove}
          aria-label={t`Remove: ${variant.name}`}
          onClick={onRemove}
        >
          <CrossIcon />
        </button>
      }
    >
      {fault ? (
        <Status tone="fail">{words ? i18n._(words) : t`This cannot be bought.`}</Status>
      ) : (
        <Delivery line={line} />
      )}
      <LineVehicle line={line} vehicles={vehicles} onChoose={onVehicle} />
      <CaseHint pieces={quantity} inCase={variant.caseQuantity} />
      <div className={classes.price}>
        <Price pricing={line.pricing} of={variant.name} />
      </div>
    </LineItem>
  );
}

/** What is sent at once, and what follows when there is more. */
function Delivery({ line }: { line: CartLine }) {
  const { i18n } = useLingui();
  const { now, later, restockOn } = line;
  if (!later) {
    return (
      <Status tone="ok">
        <Trans>In stock</Trans>
      </Status>
    );
  }
  const day = restockOn ? i18n.date(`${restockOn}T12:00:00`, { dateStyle: "medium" }) : "";
  return (
    <Status tone="wait">
      {now > 0 ? <Trans>{now} now, </Trans> : null}
      {day ? (
        <Trans>
          {later} later, expected {day}
        </Trans>
      ) : (
        <Trans>{later} later, on backorder</Trans>
      )}
    </Status>
  );
}

function CaseHint({ pieces, inCase }: { pieces: number; inCase: number }) {
  const over = pieces % inCase;
  if (inCase <= 1 || over === 0) return null;
  const missing = inCase - over;
  return (
    <small>
      <Trans>
        {missing} more fill a case of {inCase}.
      </Trans>
    </small>
  );
}
