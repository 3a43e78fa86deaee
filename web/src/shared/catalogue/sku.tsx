import { Trans } from "@lingui/react/macro";
import classes from "./catalogue.module.css";

/** A SKU with its last part set apart (shop spec 3). */
export function Sku({ sku, suffix }: { sku: string; suffix: string }) {
  const stem = suffix ? sku.slice(0, -suffix.length) : sku;
  return (
    <span className={classes.sku}>
      <span className="quiet">
        <Trans>SKU</Trans>{" "}
      </span>
      {stem}
      {suffix ? <b>{suffix}</b> : null}
    </span>
  );
}
