import type { MessageDescriptor } from "@lingui/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { CONSTANTS } from "~/shared/constants";
import { DayFields, dayRules, daysGiven } from "~/shared/forms/days";
import { useFields } from "~/shared/forms/fields";
import { Choice } from "~/shared/ui/fields/choice";
import { Panel } from "../screens/panel";
import { FilterFold } from "./filter-fold";
import classes from "./list-filters.module.css";

type Narrowed<Sort extends string> = {
  term: string;
  from: string | undefined;
  to: string | undefined;
  sort: Sort;
  rows: (typeof CONSTANTS.tablePageSizes)[number];
};

type ListFiltersProps<Sort extends string> = {
  /** What the term is looked for in. */
  label: string;
  wanted: Narrowed<Sort>;
  /** The first is the default. */
  sorts: readonly Sort[];
  words: Readonly<Record<Sort, MessageDescriptor>>;
  onChange: (next: Partial<Narrowed<Sort>>) => void;
};

/** Narrows and sorts a list. Choices act at once, what is typed when it is sent; a phone folds all but the term away. */
export function ListFilters<Sort extends string>(props: ListFiltersProps<Sort>) {
  const { label, wanted, sorts, words, onChange } = props;
  const { t, i18n } = useLingui();
  const form = useFields(
    { term: { rules: [], initial: wanted.term }, ...dayRules(wanted.from, wanted.to) },
    { leavable: true },
  );
  const set = [wanted.from, wanted.to, wanted.sort !== sorts[0]].filter(Boolean).length;

  function search({ term, ...days }: typeof form.texts) {
    onChange({ term: term.trim(), ...daysGiven(days) });
  }

  return (
    <Panel className={classes.panel}>
      <form className={classes.filters} onSubmit={form.submit(search)}>
        <TextInput
          size="md"
          type="search"
          label={label}
          autoComplete="off"
          maxLength={80}
          {...form.field("term")}
        />
        <Button type="submit" size="md">
          <Trans>Search</Trans>
        </Button>
        <FilterFold set={set} className={classes.folded}>
          <DayFields form={form} />
          <Choice
            label={t`Sort by`}
            value={wanted.sort}
            options={sorts.map((value) => ({ value, label: i18n._(words[value]) }))}
            onChange={(sort) => onChange({ sort })}
          />
          <Choice
            label={t`Per page`}
            value={String(wanted.rows)}
            options={CONSTANTS.tablePageSizes.map((n) => ({ value: String(n), label: String(n) }))}
            onChange={(value) =>
              onChange({ rows: CONSTANTS.tablePageSizes.find((n) => String(n) === value) })
            }
          />
        </FilterFold>
      </form>
    </Panel>
  );
}
