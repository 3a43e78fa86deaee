import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { forgetSearch, type RecentSearch } from "~/shared/catalogue/recent-searches";
import { categoryName } from "~/shared/navigation/catalogue";
import { ClockIcon, CrossIcon } from "~/shared/ui/pictures/icons";
import classes from "./recent-searches.module.css";

type RecentSearchesProps = {
  entries: readonly RecentSearch[];
  onChoose: (entry: RecentSearch) => void;
  /** After one was removed, and its button with it. */
  onRemoved: () => void;
};

/** What was searched for lately, each with the number of its results and a way to forget it. */
export function RecentSearches({ entries, onChoose, onRemoved }: RecentSearchesProps) {
  const { t, i18n } = useLingui();
  return (
    <div className={classes.popup}>
      <p id="recent-searches">
        <Trans>Recent searches</Trans>
      </p>
      <ul aria-labelledby="recent-searches">
        {entries.map((entry) => {
          const { categorySelected: category, brandSelected: brand } = entry;
          const within = category ? categoryName(i18n, category) : brand?.name;
          return (
            <li key={`${entry.name}/${category?.slug}/${brand?.slug}`}>
              <button type="button" className={classes.entry} onClick={() => onChoose(entry)}>
                <ClockIcon size={18} />
                <span>
                  {entry.name}
                  {within ? <small>{within}</small> : null}
                </span>
                <small>
                  <Plural value={entry.count} one="# product" other="# products" />
                </small>
              </button>
              <button
                type="button"
                className={classes.forget}
                aria-label={t`Remove ${entry.name}`}
                onClick={() => {
                  forgetSearch(entry);
                  onRemoved();
                }}
              >
                <CrossIcon size={18} />
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
