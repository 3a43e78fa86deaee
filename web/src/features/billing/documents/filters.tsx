import { ListFilters } from "~/shared/ui/list-filters";
import { Panel } from "~/shared/ui/panel";
import { type DocumentsQuery, SORTS, type Sort } from "./address";
import classes from "./documents.module.css";
import { SORT_WORDS } from "./words";

type DocumentFiltersProps<Status extends string> = {
  /** What the term is looked for in. */
  label: string;
  wanted: DocumentsQuery<Status>;
  sorts?: readonly Sort[];
  onChange: (next: Partial<DocumentsQuery<Status>>) => void;
};

/** Narrows and sorts a list of documents. */
export function DocumentFilters<Status extends string>(props: DocumentFiltersProps<Status>) {
  const { label, wanted, sorts = SORTS, onChange } = props;
  return (
    <Panel>
      <ListFilters
        className={classes.filters}
        label={label}
        wanted={wanted}
        sorts={sorts}
        words={SORT_WORDS}
        onChange={onChange}
      />
    </Panel>
  );
}
