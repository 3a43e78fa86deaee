import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { KeepCsv } from "~/shared/files/keep-csv";
import { AccountBox } from "~/shared/partners/account-box";
import { ofBuyers } from "~/shared/session/of-business";
import { useBusiness } from "~/shared/session/session";
import { EmptyState } from "~/shared/ui/lists/empty-state";
import { ListFilters } from "~/shared/ui/lists/list-filters";
import { ListRefusal } from "~/shared/ui/lists/list-refusal";
import { PageLinks } from "~/shared/ui/lists/page-links";
import { isLost } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import { addressOf, ORDER_SORTS, type OrdersAddress, type OrdersQuery, wantedIn } from "./address";
import classes from "./orders.module.css";
import { OrderTabs } from "./parts/status-tabs";
import { OrdersTable } from "./parts/table";
import { exported, ordersQuery } from "./queries";
import { SORT_WORDS } from "./words";

/** As many as one file takes by name. */
const MOST_CHOSEN = 100;

type OrdersScreenProps = { address: OrdersAddress };

/** The orders of the business, and what is chosen of them. The address alone says which are shown. */
export function OrdersScreen({ address }: OrdersScreenProps) {
  return <OrdersOfBusiness key={useBusiness()?.code} address={address} />;
}

function OrdersOfBusiness({ address }: OrdersScreenProps) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const wanted = wantedIn(address);
  const found = useQuery(ofBuyers(ordersQuery(wanted)));
  const count = found.data?.count ?? 0;
  const pages = Math.ceil(count / wanted.rows);
  const settled = found.isSuccess && !found.isPlaceholderData;
  const narrowed = Boolean(wanted.term || wanted.status || wanted.from || wanted.to);
  const looked = `${wanted.term} ${wanted.from} ${wanted.to}`;
  const [chosen, setChosen] = useState<string[]>([]);

  function change(next: Partial<OrdersQuery>) {
    void navigate({ to: "/my-orders", search: addressOf({ ...wanted, page: 1, ...next }) });
  }

  useEffect(() => {
    if (!settled || pages === 0 || wanted.page <= pages) return;
    const search = addressOf({ ...wanted, page: pages });
    void navigate({ to: "/my-orders", search, replace: true });
  });

  return (
    <div className={classes.page}>
      <Heading focusKey={`${wanted.page} ${looked}`}>
        <Trans>My Orders</Trans>
      </Heading>
      <AccountBox />
      <ListFilters
        key={looked}
        label={t`PO, order number, SKU or person`}
        wanted={wanted}
        sorts={ORDER_SORTS}
        words={SORT_WORDS}
        onChange={change}
      />
      {found.isError ? (
        <ListRefusal error={found.error} onRetry={() => void found.refetch()}>
          <Trans>Each business has orders of its own. Select the business that you work for.</Trans>
        </ListRefusal>
      ) : null}
      {isLost(found) ? null : (
        <>
          <OrderTabs wanted={wanted} counts={found.data?.counts} />
          {count > 0 || found.isPending ? (
            <div className={classes.head}>
              <p role="status">
                {found.isPending ? (
                  <Trans>Loading</Trans>
                ) : chosen.length > 0 ? (
                  <Plural value={chosen.length} one="# order chosen" other="# orders chosen" />
                ) : (
                  <Plural value={count} one="# order" other="# orders" />
                )}
                {chosen.length < MOST_CHOSEN ? null : (
                  <>
                    {" · "}
                    <Trans>At most {MOST_CHOSEN} orders at once</Trans>
                  </>
                )}
              </p>
              <div className={classes.actions}>
                {chosen.length > 0 ? (
                  <Button variant="subtle" size="md" onClick={() => setChosen([])}>
                    <Trans>Choose none</Trans>
                  </Button>
                ) : null}
                <KeepCsv name="orders.csv" ask={(language) => exported(wanted, chosen, language)} />
              </div>
            </div>
          ) : null}
          <OrdersTable
            orders={found.data?.results}
            busy={found.isPlaceholderData}
            empty={<Nothing narrowed={narrowed} />}
            chosen={chosen}
            onChoose={(ids) => setChosen(ids.slice(0, MOST_CHOSEN))}
          />
          <PageLinks
            present={wanted.page}
            pages={pages}
            link={(page, props) => (
              <Link to="/my-orders" search={addressOf({ ...wanted, page })} {...props} />
            )}
          />
        </>
      )}
    </div>
  );
}

function Nothing({ narrowed }: { narrowed: boolean }) {
  if (narrowed) {
    return (
      <EmptyState
        action={
          <Link to="/my-orders">
            <Trans>Show all orders</Trans>
          </Link>
        }
      >
        <Trans>No order fits.</Trans>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      action={
        <Link to="/search">
          <Trans>Find products</Trans>
        </Link>
      }
    >
      <Trans>Nothing was ordered yet.</Trans>
    </EmptyState>
  );
}
