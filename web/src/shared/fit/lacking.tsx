import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useSend } from "~/shared/api/send";
import { addToCart } from "~/shared/cart/add";
import type { Cart } from "~/shared/cart/queries";
import { Note } from "~/shared/ui/notes/note";
import classes from "./fit.module.css";

/** What each vehicle of a cart still needs, to be added by one click. */
export function LackingOfCart({ cart }: { cart: Cart }) {
  return cart.vehicles
    .filter(({ lacking }) => lacking.length > 0)
    .map((vehicle) => <LackingOfVehicle key={vehicle.id} vehicle={vehicle} />);
}

function LackingOfVehicle({ vehicle }: { vehicle: Cart["vehicles"][number] }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const { busy, send } = useSend({ alert: true });
  const { year, makeId, modelId, name, lacking } = vehicle;

  function add({ variantId, name: article }: Cart["vehicles"][number]["lacking"][number]["need"]) {
    void send(
      async (key) => {
        const forIt = { year, makeId, modelId };
        await addToCart(cache, [{ variantId, quantity: 1, name: article, vehicle: forIt }], key);
      },
      [variantId, vehicle.id],
    );
  }

  return (
    <Note tone="wait">
      <Trans>{name} needs besides:</Trans>
      {lacking.map(({ need }) => (
        <span key={need.productId} className={classes.lacking}>
          <Link to="/product/{-$id}" params={{ id: need.productId }}>
            {need.name}
          </Link>
          {need.isAvailableForPurchase ? (
            <Button
              size="sm"
              variant="default"
              disabled={busy}
              aria-label={t`Add: ${need.name}`}
              onClick={() => add(need)}
            >
              <Trans>Add</Trans>
            </Button>
          ) : null}
        </span>
      ))}
    </Note>
  );
}
