import { useLingui } from "@lingui/react/macro";
import { BEST_MATCH, SORTS, type Sort } from "~/shared/catalogue/types";
import { Choice } from "~/shared/ui/fields/choice";
import { CardsIcon, RowsIcon } from "~/shared/ui/pictures/icons";
import type { View } from "../address";
import classes from "./ordering.module.css";

type OrderingProps = {
  sort: Sort;
  /** Whether there is a term to match. */
  hasTerm: boolean;
  size: number;
  sizes: readonly number[];
  view: View;
  onSort: (sort: Sort) => void;
  onSize: (size: number) => void;
  onView: (view: View) => void;
};

/** The order of the list, how many are on a page, and how they are shown. */
export function Ordering(props: OrderingProps) {
  const { sort, hasTerm, size, sizes, view, onSort, onSize, onView } = props;
  const { t } = useLingui();
  const labels: Record<Sort, string> = {
    "price-desc": t`Price, high to low`,
    "price-asc": t`Price, low to high`,
    "name-asc": t`Name, A to Z`,
    "name-desc": t`Name, Z to A`,
    "best-match": t`Best match`,
  };
  const sorts = SORTS.filter((value) => hasTerm || value !== BEST_MATCH);
  return (
    <div className={classes.ordering}>
      <Choice
        label={t`Sort by`}
        value={sort}
        options={sorts.map((value) => ({ value, label: labels[value] }))}
        onChange={onSort}
      />
      <Choice
        label={t`Per page`}
        value={String(size)}
        options={sizes.map((value) => ({ value: String(value), label: String(value) }))}
        onChange={(value) => onSize(Number(value))}
      />
      <fieldset className={classes.views}>
        <legend>{t`Show as`}</legend>
        <button
          type="button"
          aria-label={t`Cards`}
          aria-pressed={view === "cards"}
          onClick={() => onView("cards")}
        >
          <CardsIcon />
        </button>
        <button
          type="button"
          aria-label={t`Rows`}
          aria-pressed={view === "list"}
          onClick={() => onView("list")}
        >
          <RowsIcon />
        </button>
      </fieldset>
    </div>
  );
}
