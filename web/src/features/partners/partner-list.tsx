import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { goOnBelow } from "~/shared/ui/hand-on";
import type { Partner } from "./queries";
import classes from "./select-business.module.css";

type PartnerListProps = {
  /** Those that stand first, under a heading of their own. */
  recent: readonly Partner[];
  others: readonly Partner[];
  chosen: string | undefined;
  onChoose: (code: string) => void;
  /** Shows more of them, while there are more than these. */
  onMore: (() => void) | undefined;
};

/** The businesses as one group of radio buttons, those that were worked for of late first. */
export function PartnerList({ recent, others, chosen, onChoose, onMore }: PartnerListProps) {
  const { t } = useLingui();
  if (recent.length + others.length === 0) return null;
  const row = (partner: Partner) => (
    <label key={partner.id} className={classes.partner}>
      <input
        type="radio"
        name="business"
        value={partner.sapBpCode}
        checked={chosen === partner.sapBpCode}
        onChange={() => onChoose(partner.sapBpCode)}
      />
      <span>
        {partner.companyName}
        <small>
          {partner.sapBpCode}
          {partner.subdistributor ? (
            <>
              {" · "}
              <Trans>Subdistributor</Trans>
            </>
          ) : null}
        </small>
      </span>
    </label>
  );
  return (
    <fieldset className={classes.list} aria-label={t`Businesses`}>
      {recent.length > 0 ? (
        <p className={classes.group}>
          <Trans>Recent businesses</Trans>
        </p>
      ) : null}
      {recent.map(row)}
      {recent.length > 0 && others.length > 0 ? (
        <p className={classes.group}>
          <Trans>All others</Trans>
        </p>
      ) : null}
      {others.map(row)}
      {onMore ? (
        <Button
          variant="default"
          onClick={({ currentTarget }) => {
            goOnBelow(currentTarget);
            onMore();
          }}
        >
          <Trans>Show more</Trans>
        </Button>
      ) : null}
    </fieldset>
  );
}
