import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { StatusTabs } from "~/shared/ui/lists/status-tabs";
import {
  addressOf,
  type OrderStatus,
  type OrdersQuery,
  TAB_NAMES,
  TABS,
  type Tab,
  tabOf,
} from "../address";
import { TAB_WORDS } from "../words";

type OrderTabsProps = {
  wanted: OrdersQuery;
  /** How many would fit of each status; those with none are left out. Undefined while nobody knows. */
  counts: Readonly<Partial<Record<OrderStatus, number>>> | undefined;
};

/** The statuses of orders as tabs, several under one name. */
export function OrderTabs({ wanted, counts }: OrderTabsProps) {
  const { i18n } = useLingui();
  const inTab = (tab: Tab) => counts && TABS[tab].reduce((sum, one) => sum + (counts[one] ?? 0), 0);
  return (
    <StatusTabs
      tabs={TAB_NAMES.map((tab) => ({ tab, words: i18n._(TAB_WORDS[tab]), count: inTab(tab) }))}
      present={tabOf(wanted.status)}
      everything={<Trans context="orders">All</Trans>}
      link={(status, props) => (
        <Link to="/my-orders" search={addressOf({ ...wanted, status, page: 1 })} {...props} />
      )}
    />
  );
}
