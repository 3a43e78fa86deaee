import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { tell } from "~/shared/alerts/alerts";
import { useSend } from "~/shared/api/send";
import { useVehicleFor } from "~/shared/fit/fit";
import { nextFor } from "~/shared/session/access";
import { businessOf, type Session, useSession } from "~/shared/session/session";
import { DoneButton } from "~/shared/ui/buttons/done-button";
import { addToCart } from "./add";
import classes from "./add-to-cart.module.css";
import { QuantityField } from "./quantity-field";

type AddToCartProps = {
  productId: string;
  variantId: string;
  name: string;
  caseQuantity: number;
  isForPurchase: boolean;
  hasPrice: boolean;
  /** Number and button in one line, without a word about cases. */
  compact?: boolean;
};

/** Puts an article into the cart. What cannot be bought has no button; who may not buy is told so. */
export function AddToCart({
  productId,
  variantId,
  name,
  caseQuantity,
  isForPurchase,
  hasPrice,
  compact,
}: AddToCartProps) {
  const { t } = useLingui();
  const router = useRouter();
  const cache = useQueryClient();
  const now = useSession();
  const blocked = isBlocked(now);
  const vehicle = useVehicleFor(productId);
  const [quantity, setQuantity] = useState(1);
  const { busy, send } = useSend({ alert: true });
  const [done, setDone] = useState(0);
  if (!isForPurchase || !hasPrice) return null;

  async function add(key: string) {
    const became = await addToCart(
      cache,
      [{ variantId, quantity, name, vehicle: vehicle?.key }],
      key,
    );
    if (became === "added") setDone((count) => count + 1);
    if (became === "merge") void router.navigate({ to: "/cart" });
    if (became === "sign-in") {
      const next = nextFor(router.state.location.href);
      await router.navigate({ to: "/login", search: next ? { next } : {} });
      // A message before would go with the page before.
      tell({ content: msg`Please log in; then it is added to your cart.`, type: "info" });
    }
  }

  const missing = quantity % caseQuantity === 0 ? 0 : caseQuantity - (quantity % caseQuantity);
  return (
    <div className={classes.add} data-compact={compact}>
      <QuantityField
        atOnce
        value={quantity}
        of={name}
        onChange={setQuantity}
        disabled={blocked}
        plain={compact}
      />
      <DoneButton
        type="button"
        size={compact ? "sm" : "md"}
        done={done}
        loading={busy}
        disabled={blocked}
        variant={compact ? "default" : "filled"}
        aria-label={t`Add to cart: ${name}`}
        onClick={() => void send(add, [variantId, quantity, vehicle?.name, businessOf(now)])}
      >
        {compact ? <Trans>Add</Trans> : <Trans>Add to cart</Trans>}
      </DoneButton>
      {blocked ? (
        <small className={classes.hint}>
          <Trans>You do not have purchasing rights.</Trans>
        </small>
      ) : null}
      {!compact && !blocked && missing > 0 ? (
        <small className={classes.hint}>
          <Trans>
            {missing} more fill a case of {caseQuantity}.
          </Trans>
        </small>
      ) : null}
    </div>
  );
}

/** Known before the server is asked, which asks again. Consumers are answered by it in the spec's words. */
function isBlocked(now: Session): boolean {
  return now.state !== "anonymous" && !now.user.purchasing_rights && !now.user.is_b2c;
}
