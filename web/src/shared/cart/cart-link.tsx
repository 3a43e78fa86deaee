import { useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { planLinesQuery } from "~/shared/plans/queries";
import { notRetired } from "~/shared/session/rights";
import { useSession } from "~/shared/session/session";
import { CartIcon } from "~/shared/ui/pictures/icons";
import { badgeOf } from "./badge";
import classes from "./cart-link.module.css";
import { latestCartQuery } from "./queries";

/** The way to the cart, with the number of subscriptions and products in it; the retired have none. */
export function CartLink() {
  const { t } = useLingui();
  const now = useSession();
  const isOpen = notRetired(now);
  const mayHave = isOpen && now.state === "signed-in";
  const latest = useQuery({ ...latestCartQuery, enabled: mayHave });
  const plans = useQuery({ ...planLinesQuery, enabled: mayHave });
  const count = mayHave ? (latest.data?.quantity ?? 0) + (plans.data?.count ?? 0) : 0;
  const badge = badgeOf(count);
  if (!isOpen) return null;
  return (
    <Link to="/cart" className={classes.cart} aria-label={badge ? t`Cart, ${badge}` : t`Cart`}>
      <CartIcon />
      {badge ? (
        <span className={classes.badge} aria-hidden="true">
          {badge}
        </span>
      ) : null}
    </Link>
  );
}
