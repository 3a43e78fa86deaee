import { Trans } from "@lingui/react/macro";
import classes from "./catalogue.module.css";

/** How many the maker packs together, where that is more than one. */
export function CaseQuantity({ pieces }: { pieces: number }) {
  if (pieces <= 1) return null;
  return (
    <p className={classes.hint}>
      <Trans>Packed in cases of {pieces}</Trans>
    </p>
  );
}
