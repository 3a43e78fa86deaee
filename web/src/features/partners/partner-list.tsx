import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useState } from "react";
import { CONSTANTS } from "~/shared/constants";
import type { Partner } from "./queries";
import classes from "./select-business.module.css";

type PartnerListProps = {
  partners: readonly Partner[];
  chosen: string | undefined;
  onChoose: (code: string) => void;
};

/** The businesses as one group of radio buttons; a hundred more at a time, so that thousands stay quick. */
export function PartnerList({ partners, chosen, onChoose }: PartnerListProps) {
  const { t } = useLingui();
  const [shown, setShown] = useState<number>(CONSTANTS.partnerPageSize);
  if (partners.length === 0) return null;
  return (
    <fieldset className={classes.list} aria-label={t`Businesses`}>
      {partners.slice(0, shown).map((partner) => (
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
      ))}
      {partners.length > shown ? (
        <Button variant="default" onClick={() => setShown(shown + CONSTANTS.partnerPageSize)}>
          <Trans>Show more</Trans>
        </Button>
      ) : null}
    </fieldset>
  );
}
