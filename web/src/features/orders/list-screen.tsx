import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import { useSend } from "~/shared/api/send";
import { CONSTANTS } from "~/shared/constants";
import { download } from "~/shared/files/download";
import { AccountBox } from "~/shared/partners/account-box";
import { ofBuyers } from "~/shared/session/of-business";
import { Choice } from "~/shared/ui/choice";
import { EmptyState } from "~/shared/ui/empty-state";
import { Heading } from "~/shared/ui/heading";
import { ListRefusal } from "~/shared/ui/list-refusal";
import { PageLinks } from "~/shared/ui/page-links";
import { Panel } from "~/shared/ui/panel";
import {
  addressOf,
  ORDER_SORTS,
  ORDER_STATUSES,
  type OrderStatus,
  type OrdersAddress,
  type OrdersWanted,
  wantedIn,
} from "./address";
import classes from "./orders.module.css";
import { OrdersTable } from "./parts/table";
import { exported, ordersQuery } from "./queries";
import { SORT_WORDS, STATUS_WORDS } from "./words";

/** The orders of the business. The address alone says which are shown. */
export function OrdersScreen({ address }: { address: OrdersAddress }) {
  const navigate = useNavigate();
  const wanted = wantedIn(address);
  const found = useQuery(ofBuyers(ordersQuery(wanted)));
  const count = found.data?.count ?? 0;
  const pages = Math.ceil(count / wanted.rows);
  const settled = found.isSuccess && !found.isPlaceholderData;
  const narrowed = wanted.term !== "" || wanted.status !== undefined;

  function change(next: Partial<OrdersWanted>) {
    void navigate({ to: "/my-orders", search: addressOf({ ...wanted, page: 1, ...next }) });
  }

  useEffect(() => {
    if (!settled || pages === 0 || wanted.page <= pages) return;
    const search = addressOf({ ...wanted, page: pages });
    void navigate({ to: "/my-orders", search, replace: true });
  });

  return (
    <div className={classes.page}>
      <Heading focusKey={String(wanted.page)}>
        <Trans>My Orders</Trans>
      </Heading>
      <AccountBox />
      <Panel>
        <Filters key={wanted.term} wanted={wanted} onChange={change} />
      </Panel>
      {found.isError ? (
        <ListRefusal error={found.error} onRetry={() => void found.refetch()}>
          <Trans>Each business has orders of its own. Select the business that you work for.</Trans>
        </ListRefusal>
      ) : (
        <>
          {count > 0 || found.isPending ? (
            <div className={classes.head}>
              <p role="status">
                {found.isPending ? (
                  <Trans>Loading</Trans>
                ) : (
                  <Plural value={count} one="# order" other="# orders" />
                )}
              </p>
              <Export wanted={wanted} />
            </div>
          ) : null}
          <OrdersTable
            orders={found.data?.results}
            busy={found.isPlaceholderData}
            empty={<Nothing narrowed={narrowed} />}
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

type FiltersProps = { wanted: OrdersWanted; onChange: (next: Partial<OrdersWanted>) => void };

function Filters({ wanted, onChange }: FiltersProps) {
  const { t, i18n } = useLingui();
  const [term, setTerm] = useState(wanted.term);

  function search(event: FormEvent) {
    event.preventDefault();
    onChange({ term: term.trim() });
  }

  return (
    <form className={classes.filters} onSubmit={search}>
      <TextInput
        size="md"
        type="search"
        label={t`PO or order number`}
        autoComplete="off"
        maxLength={80}
        value={term}
        onChange={(event) => setTerm(event.currentTarget.value)}
      />
      <Choice<OrderStatus | "">
        label={t`Status`}
        value={wanted.status ?? ""}
        options={[
          { value: "", label: t`All` },
          ...ORDER_STATUSES.map((value) => ({ value, label: i18n._(STATUS_WORDS[value]) })),
        ]}
        onChange={(status) => onChange({ status: status || undefined })}
      />
      <Choice
        label={t`Sort by`}
        value={wanted.sort}
        options={ORDER_SORTS.map((value) => ({ value, label: i18n._(SORT_WORDS[value]) }))}
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
      <Button type="submit" size="md">
        <Trans>Search</Trans>
      </Button>
    </form>
  );
}

function Export({ wanted }: { wanted: OrdersWanted }) {
  const { i18n } = useLingui();
  const { busy, send } = useSend({ alert: true });
  const save = async () => download("orders.csv", await exported(wanted, i18n.locale));

  return (
    <Button variant="default" size="md" loading={busy} onClick={() => void send(save)}>
      <Trans>Download as CSV</Trans>
    </Button>
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
        <>
          <Link to="/search">
            <Trans>Find products</Trans>
          </Link>
          <Link to="/search" search={{ qo: "true" }}>
            <Trans>Quick Order</Trans>
          </Link>
        </>
      }
    >
      <Trans>Nothing was ordered yet.</Trans>
    </EmptyState>
  );
}
