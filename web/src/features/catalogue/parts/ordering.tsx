import { useLingui } from "@lingui/react/macro";
import { SORTS, type Sort } from "~/shared/catalogue/types";
import { Choice } from "~/shared/ui/choice";
import classes from "./ordering.module.css";

type OrderingProps = {
  sort: Sort;
  size: number;
  sizes: readonly number[];
  onSort: (sort: Sort) => void;
  onSize: (size: number) => void;
};

/** The order of the list, and how many are on a page. */
export function Ordering({ sort, size, sizes, onSort, onSize }: OrderingProps) {
  const { t } = useLingui();
  const labels: Record<Sort, string> = {
    "price-desc": t`Price, high to low`,
    "price-asc": t`Price, low to high`,
    "name-asc": t`Name, A to Z`,
    "name-desc": t`Name, Z to A`,
  };
  return (
    <div className={classes.ordering}>
      <Choice
        label={t`Sort by`}
        value={sort}
        options={SORTS.map((value) => ({ value, label: labels[value] }))}
        onChange={onSort}
      />
      <Choice
        label={t`Per page`}
        value={String(size)}
        options={sizes.map((value) => ({ value: String(value), label: String(value) }))}
        onChange={(value) => onSize(Number(value))}
      />
    </div>
  );
}
