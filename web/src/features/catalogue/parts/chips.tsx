import { Trans, useLingui } from "@lingui/react/macro";
import type { CatalogueLists } from "~/shared/catalogue/lists";
import { APPROVED } from "~/shared/catalogue/types";
import { CrossIcon } from "~/shared/ui/pictures/icons";
import type { ProductQuery } from "../address";
import classes from "./chips.module.css";
import { toggled } from "./filters";

type ChipsProps = {
  wanted: ProductQuery;
  lists: CatalogueLists;
  onChange: (change: Partial<ProductQuery>) => void;
};

/** What the list is narrowed by, each with a way out. */
export function Chips({ wanted, lists, onChange }: ChipsProps) {
  const { t } = useLingui();
  const name = (slug: string, among: CatalogueLists["brands"]) =>
    among.find((one) => one.slug === slug)?.name ?? slug;
  const chips = [
    ...(wanted.term
      ? [{ key: "term", label: t`“${wanted.term}”`, change: { term: "" } as Partial<ProductQuery> }]
      : []),
    ...(wanted.inStock
      ? [{ key: "stock", label: t`In stock`, change: { inStock: false } as Partial<ProductQuery> }]
      : []),
    ...wanted.categories.map((slug) => ({
      key: `c-${slug}`,
      label: name(slug, lists.categories),
      change: { categories: toggled(wanted.categories, slug) },
    })),
    ...wanted.brands.map((slug) => ({
      key: `b-${slug}`,
      label: slug === APPROVED ? t`Approved brands only` : name(slug, lists.brands),
      change: { brands: toggled(wanted.brands, slug) },
    })),
  ];
  if (!chips.length) return null;
  return (
    <ul className={classes.chips} aria-label={t`Narrowed by`}>
      {chips.map(({ key, label, change }) => (
        <li key={key}>
          <button
            ref={toHeading}
            type="button"
            aria-label={t`Remove ${label}`}
            onClick={() => onChange(change)}
          >
            {label}
            <CrossIcon size={16} />
          </button>
        </li>
      ))}
      {chips.length > 1 ? (
        <li>
          <button
            ref={toHeading}
            type="button"
            className={classes.all}
            onClick={() => onChange({ term: "", brands: [], categories: [], inStock: false })}
          >
            <Trans>Clear all</Trans>
          </button>
        </li>
      ) : null}
    </ul>
  );
}

/** The focus goes to the page's heading with what had it. A page of the first ones: it fetches nothing for this. */
function toHeading(chip: HTMLElement | null) {
  return () => {
    if (document.activeElement === chip)
      document.querySelector("h1")?.focus({ preventScroll: true });
  };
}
