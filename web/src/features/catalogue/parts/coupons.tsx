import { Trans, useLingui } from "@lingui/react/macro";
import { dollars } from "~/shared/catalogue/money";
import type { Coupon } from "../queries";
import classes from "./coupons.module.css";

/** The coupons that hold now. They are an extra: while they cannot be fetched, the page does without them. */
export function Coupons({ coupons }: { coupons: readonly Coupon[] }) {
  const { t, i18n } = useLingui();
  if (!coupons.length) return null;
  const day = (at: string) => i18n.date(at, { dateStyle: "medium" });
  return (
    <ul className={classes.coupons} aria-label={t`Coupons`}>
      {coupons.map(({ code, description, least, endsAt }) => (
        <li key={code}>
          <strong>{code}</strong>
          <span lang="en">{description}</span>
          <small>
            {least > 0 ? <Trans>From {dollars(i18n, least)}</Trans> : null}{" "}
            {endsAt ? <Trans>until {day(endsAt)}</Trans> : null}
          </small>
        </li>
      ))}
    </ul>
  );
}
