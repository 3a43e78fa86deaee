import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { problemOf } from "~/shared/api/errors";
import { dollars } from "~/shared/catalogue/money";
import { asksForApproval } from "~/shared/session/rights";
import { useSession } from "~/shared/session/session";
import { Age } from "~/shared/time/age";
import { DataTable } from "~/shared/ui/lists/data-table";
import { EmptyState } from "~/shared/ui/lists/empty-state";
import { isLost, ProblemNote } from "~/shared/ui/notes/note";
import classes from "./approvals.module.css";
import { useWaitingNews, type WaitingOrder, waitingQuery } from "./queries";

type WaitingOrdersProps = {
  quiet?: boolean;
  /** The first rows, which came with the start page, until the whole list is there. */
  first?: WaitingOrder[];
};

/** As many as the start page shows. */
const QUIET_ROWS = 5;

/** Orders and purchases of plans that wait for an owner's yes, the oldest first. On the start page nothing is shown while there are none. */
export function WaitingOrders({ quiet = false, first }: WaitingOrdersProps) {
  const now = useSession();
  const user = now.state === "anonymous" ? undefined : now.user;
  const may = asksForApproval(now);
  const found = useQuery({
    ...waitingQuery(),
    enabled: may,
    placeholderData: first && { results: first },
  });
  useWaitingNews(may && user?.is_owner ? user.dealer_id : null);
  const all = may ? (found.data?.results ?? first) : [];
  const rows = quiet ? all?.slice(0, QUIET_ROWS) : all;
  if (quiet && !rows?.length) return null;
  return (
    <section aria-labelledby="waiting-orders" className={classes.section}>
      <h2 id="waiting-orders">
        {user?.is_owner ? (
          <Trans>What waits for your approval</Trans>
        ) : (
          <Trans>What of yours waits for an approval</Trans>
        )}
      </h2>
      {found.isError ? (
        <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
      ) : null}
      {isLost(found) && !rows ? null : <Rows rows={rows} />}
      {quiet ? (
        <Link to="/approvals/{-$id}" params={{ id: undefined }} className={classes.way}>
          <Trans>All approvals</Trans>
        </Link>
      ) : null}
    </section>
  );
}

function Rows({ rows }: { rows: readonly WaitingOrder[] | undefined }) {
  const { t, i18n } = useLingui();
  return (
    <DataTable
      label={t`What waits for an approval`}
      rows={rows}
      keyOf={({ token }) => token}
      empty={
        <EmptyState
          action={
            <Link to="/my-orders">
              <Trans>My Orders</Trans>
            </Link>
          }
        >
          <Trans>Nothing waits for an approval.</Trans>
        </EmptyState>
      }
      columns={[
        {
          head: t`Ordered by`,
          names: true,
          cell: (one) => <Open one={one} />,
        },
        { head: t`What`, cell: ({ kind, lines }) => <What kind={kind} lines={lines} /> },
        { head: t`Reason`, cell: ({ reason }) => reason || "—" },
        { head: t`Total`, as: "figure", cell: ({ total }) => dollars(i18n, total) },
        {
          head: t`State`,
          cell: ({ state }) =>
            state === "requoted" ? t`Waits for a yes to new prices` : t`Waits for an approval`,
        },
        {
          head: t`Asked`,
          cell: ({ asked_at }) => (
            <span className={classes.whole}>
              <Age since={asked_at} />
            </span>
          ),
        },
      ]}
    />
  );
}

function What({ kind, lines }: Pick<WaitingOrder, "kind" | "lines">) {
  return kind === "purchase" ? (
    <Plural value={lines} one="A plan for # device" other="Plans for # devices" />
  ) : (
    <Plural value={lines} one="An order of # product" other="An order of # products" />
  );
}

function Open({ one }: { one: WaitingOrder }) {
  if (one.mine && one.kind === "purchase")
    return (
      <Link to="/cart/checkout/subscriptions" search={{ uuid: one.token }} className={classes.way}>
        {one.requester}
      </Link>
    );
  if (one.mine)
    return (
      <Link to="/cart/checkout/products" search={{ token: one.token }} className={classes.way}>
        {one.requester}
      </Link>
    );
  return (
    <Link
      to="/approvals/{-$id}"
      params={{ id: one.token }}
      search={one.kind === "purchase" ? { kind: one.kind } : {}}
      className={classes.way}
    >
      {one.requester}
    </Link>
  );
}
