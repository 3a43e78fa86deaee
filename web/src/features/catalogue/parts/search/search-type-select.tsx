import { useLingui } from "@lingui/react/macro";
import type { CatalogueLists } from "~/shared/catalogue/lists";
import { ALL } from "./search-type";

type SearchTypeProps = {
  value: string;
  lists: CatalogueLists;
  onChange: (value: string) => void;
};

/** The platform's own select, as it has groups and works with one hand. */
export function SearchType({ value, lists, onChange }: SearchTypeProps) {
  const { t } = useLingui();
  return (
    <select
      aria-label={t`Search in`}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <option value={ALL}>{t`All products`}</option>
      <optgroup label={t`Category`}>
        {lists.categories.map(({ name, slug }) => (
          <option key={slug} value={`c:${slug}`}>
            {name}
          </option>
        ))}
      </optgroup>
      <optgroup label={t`Brand`}>
        {lists.brands.map(({ name, slug }) => (
          <option key={slug} value={`b:${slug}`}>
            {name}
          </option>
        ))}
      </optgroup>
    </select>
  );
}
