import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useState } from "react";
import type { Cart } from "~/shared/cart/queries";
import { LackingOfCart } from "~/shared/fit/lacking";
import { handOn } from "~/shared/ui/hand-on";
import { Note } from "~/shared/ui/notes/note";
import { fitFaults, isSeen, setSeen } from "./fit-seen";

/** Says once what does not go together with the vehicles of an order; it can be placed all the same. */
export function FitWarning({ cart }: { cart: Cart }) {
  const faults = fitFaults(cart);
  const [seen, setShown] = useState(() => isSeen(cart.token, faults));
  if (faults.length === 0 || seen) return null;
  return (
    <>
      {cart.lines.map(({ id, fit, vehicle, variant }) =>
        fit?.verdict === "does_not_fit" && vehicle ? (
          <Note key={id} tone="wait">
            <Trans>
              {variant.name} does not fit {vehicle.name}.
            </Trans>
          </Note>
        ) : null,
      )}
      <LackingOfCart cart={cart} />
      <Button
        ref={handOn}
        variant="default"
        size="md"
        onClick={() => {
          setSeen(cart.token, faults);
          setShown(true);
        }}
      >
        <Trans>Order all the same</Trans>
      </Button>
    </>
  );
}
