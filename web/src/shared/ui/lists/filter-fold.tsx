import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { type ReactNode, useId, useState } from "react";
import classes from "./filter-fold.module.css";

type FilterFoldProps = {
  /** How many of them are not as usual. */
  set: number;
  /** Of what is folded away, for where it stands in the grid. */
  className?: string;
  children: ReactNode;
};

/** What a list is narrowed by besides: where there is room as parts of the grid around it, on a phone behind one button. */
export function FilterFold({ set, className = "", children }: FilterFoldProps) {
  const [open, setOpen] = useState(false);
  const folded = useId();
  return (
    <>
      <Button
        className={classes.unfold}
        variant="default"
        size="md"
        aria-expanded={open}
        aria-controls={folded}
        onClick={() => setOpen(!open)}
      >
        {set > 0 ? <Trans>Filters ({set})</Trans> : <Trans>Filters</Trans>}
      </Button>
      <div id={folded} className={`${classes.folded} ${className}`} data-open={open || undefined}>
        {children}
      </div>
    </>
  );
}
