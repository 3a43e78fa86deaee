import { Trans, useLingui } from "@lingui/react/macro";
import type { ReactNode } from "react";
import classes from "./status-tabs.module.css";

type Current = { "aria-current": "page" | undefined };
/** What a link to a tab carries, besides where it leads. */
type TabProps = Current & { activeProps: Current; children: ReactNode };

type StatusTabsProps<Tab extends string> = {
  tabs: readonly { tab: Tab; words: ReactNode; count: number }[];
  /** Undefined shows all. */
  present: Tab | undefined;
  /** How many there are in all, where the tabs do not tell. */
  all?: number;
  /** What they are the states of, on a page with several lists. */
  label?: string;
  link: (tab: Tab | undefined, props: TabProps) => ReactNode;
};

/** The states of a list as tabs with what each holds; the rest of what is asked for stays. */
export function StatusTabs<Tab extends string>(props: StatusTabsProps<Tab>) {
  const { tabs, present, label, link } = props;
  const { t, i18n } = useLingui();
  const all = props.all ?? tabs.reduce((sum, { count }) => sum + count, 0);
  const carried = (tab: Tab | undefined, words: ReactNode, count: number): TabProps => {
    const current: Current = { "aria-current": present === tab ? "page" : undefined };
    return {
      ...current,
      activeProps: current,
      children: (
        <>
          {words} <small>{i18n.number(count)}</small>
        </>
      ),
    };
  };
  return (
    <nav aria-label={label ?? t`Status`} className={classes.tabs}>
      {link(undefined, carried(undefined, <Trans>All</Trans>, all))}
      {tabs.map(({ tab, words, count }) => (
        <span key={tab}>{link(tab, carried(tab, words, count))}</span>
      ))}
    </nav>
  );
}
