import { Plural, Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { mayBuyPlans } from "~/shared/session/rights";
import { useSession } from "~/shared/session/session";
import { Note } from "~/shared/ui/notes/note";
import { openPurchasesQuery } from "../queries";
import classes from "./purchase.module.css";

/** The way back to purchases that are under way. They are an extra: without an answer the page does without them. */
export function OpenPurchases() {
  const now = useSession();
  const found = useQuery({ ...openPurchasesQuery, enabled: mayBuyPlans(now) });
  return (found.data?.results ?? []).map(({ id, device_keys }) => (
    <Note
      key={id}
      tone="wait"
      action={
        <Link to="/cart/checkout/subscriptions" search={{ uuid: id }} className={classes.way}>
          <Trans>See how far it is</Trans>
        </Link>
      }
    >
      <Plural
        value={device_keys.length}
        one="A purchase of a plan for # device is under way."
        other="A purchase of plans for # devices is under way."
      />
    </Note>
  ));
}
