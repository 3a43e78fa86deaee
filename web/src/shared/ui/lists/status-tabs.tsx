import { useLingui } from "@lingui/react/macro";
import type { ReactNode } from "react";
import classes from "./status-tabs.module.css";

/** What a link to a tab carries, besides where it leads. */
type TabProps = {
  "aria-current": "page" | undefined;
  activeOptions: typeof EXACT;
  children: ReactNode;
};

type StatusTabsProps<Tab extends string> = {
  /** A count that is not known, or not yet, is not shown. */
  tabs: readonly { tab: Tab; words: ReactNode; count: number | undefined }[];
  /** Undefined shows all. */
  present: Tab | undefined;
  /** The words for all: what they are has a gender and a number in other languages. */
  everything: ReactNode;
  /** How many there are in all, where the tabs do not tell. */
  all?: number;
  /** What they are the states of, on a page with several lists. */
  label?: string;
  link: (tab: Tab | undefined, props: TabProps) => ReactNode;
};

/** Else the router takes every address of the list for a part of the tab with all. */
const EXACT = { exact: true } as const;

/** The states of a list as tabs with what each holds; the rest of what is asked for stays. */
export function StatusTabs<Tab extends string>(props: StatusTabsProps<Tab>) {
  const { tabs, present, everything, label, link } = props;
  const { t, i18n } = useLingui();
  const all = props.all ?? sumOf(tabs.map(({ count }) => count));
  const carried = (
    tab: Tab | undefined,
    words: ReactNode,
    count: number | undefined,
  ): TabProps => ({
    "aria-current": present === tab ? "page" : undefined,
    activeOptions: EXACT,
    children: (
      <>
        {words} <small>{count === undefined ? null : i18n.number(count)}</small>
      </>
    ),
  });
  return (
    <nav aria-label={label ?? t`Status`} className={classes.tabs}>
      {link(undefined, carried(undefined, everything, all))}
      {tabs.map(({ tab, words, count }) => (
        <span key={tab}>{link(tab, carried(tab, words, count))}</span>
      ))}
    </nav>
  );
}

/** Undefined where one of them is not known. */
function sumOf(counts: readonly (number | undefined)[]): number | undefined {
  return counts.reduce<number | undefined>(
    (sum, count) => (sum === undefined || count === undefined ? undefined : sum + count),
    0,
  );
}
