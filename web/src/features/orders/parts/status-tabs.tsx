import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { addressOf, type OrderStatus, type OrdersQuery, TABS, type Tab } from "../address";
import classes from "../orders.module.css";
import { TAB_WORDS } from "../words";

type StatusTabsProps = {
  wanted: OrdersQuery;
  /** How many would fit of each status; those with none are left out. */
  counts: Readonly<Partial<Record<OrderStatus, number>>> | undefined;
};

const NAMES = Object.keys(TABS) as Tab[];

/** The statuses as tabs with what each holds; the rest of what is asked for stays. */
export function StatusTabs({ wanted, counts = {} }: StatusTabsProps) {
  const { t, i18n } = useLingui();
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const inTab = (tab: Tab) => TABS[tab].reduce((sum, one) => sum + (counts[one] ?? 0), 0);
  const to = (status: OrdersQuery["status"]) => addressOf({ ...wanted, status, page: 1 });
  const current = (here: boolean) => (here ? ("page" as const) : undefined);
  return (
    <nav aria-label={t`Status`} className={classes.tabs}>
      <Link
        to="/my-orders"
        search={to(undefined)}
        aria-current={current(wanted.status === undefined)}
        activeProps={{ "aria-current": current(wanted.status === undefined) }}
      >
        <Trans>All</Trans> <small>{i18n.number(all)}</small>
      </Link>
      {NAMES.map((tab) => (
        <Link
          key={tab}
          to="/my-orders"
          search={to(tab)}
          aria-current={current(wanted.status === tab)}
          activeProps={{ "aria-current": current(wanted.status === tab) }}
        >
          {i18n._(TAB_WORDS[tab])} <small>{i18n.number(inTab(tab))}</small>
        </Link>
      ))}
    </nav>
  );
}
