import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { problemOf } from "~/shared/api/errors";
import { dollars } from "~/shared/catalogue/money";
import { CONSTANTS } from "~/shared/constants";
import { KeepCsv } from "~/shared/files/keep-csv";
import { DataTable } from "~/shared/ui/lists/data-table";
import { EmptyState } from "~/shared/ui/lists/empty-state";
import { PageLinks } from "~/shared/ui/lists/page-links";
import { StatusTabs } from "~/shared/ui/lists/status-tabs";
import { ProblemNote } from "~/shared/ui/notes/note";
import { Status } from "~/shared/ui/notes/status";
import { Heading } from "~/shared/ui/screens/heading";
import { ReceiptFilters } from "./parts/receipt-filters";
import { exported, type Receipt, receiptsQuery } from "./receipt-queries";
import classes from "./receipts.module.css";
import type { ReceiptsAddress } from "./receipts-address";

/** The receipts of the business's purchases of plans, the latest first. */
export function ReceiptsScreen({ address }: { address: ReceiptsAddress }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const found = useQuery(receiptsQuery(address));
  const { data } = found;
  const { page = 1, limit = CONSTANTS.tablePageSize } = address;
  const pages = Math.ceil((data?.count ?? 0) / limit);
  const settled = found.isSuccess && !found.isPlaceholderData;

  useEffect(() => {
    if (!settled || pages === 0 || page <= pages) return;
    const search = { ...address, page: pages };
    void navigate({ to: "/subscriptions/receipts", search, replace: true });
  });

  return (
    <div className={classes.page}>
      <Heading>
        <Trans>Receipts</Trans>
      </Heading>
      <ReceiptFilters key={`${address.by} ${address.value}`} address={address} />
      {found.error && !data ? null : <Tabs address={address} counts={data?.counts} />}
      {found.error ? (
        <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
      ) : null}
      {found.error && !data ? null : (
        <DataTable
          label={t`Receipts`}
          rows={data?.results}
          keyOf={({ uuid }) => uuid}
          busy={found.isPlaceholderData}
          empty={
            <EmptyState
              action={
                address.value || address.ok ? (
                  <Link to="/subscriptions/receipts">
                    <Trans>Show all receipts</Trans>
                  </Link>
                ) : (
                  <Link to="/subscriptions">
                    <Trans>Customer Subscriptions</Trans>
                  </Link>
                )
              }
            >
              {address.value || address.ok ? (
                <Trans>No receipt fits.</Trans>
              ) : (
                <Trans>Receipts of plans that you buy appear here.</Trans>
              )}
            </EmptyState>
          }
          columns={[
            { head: t`Date`, names: true, cell: (receipt) => <Opens receipt={receipt} /> },
            { head: t`Devices`, as: "code", cell: (receipt) => <Devices receipt={receipt} /> },
            { head: t`Paid by`, cell: ({ payment_shown }) => payment_shown || "–" },
            { head: t`Total`, as: "figure", cell: (receipt) => <Charged receipt={receipt} /> },
          ]}
        />
      )}
      <PageLinks
        present={page}
        pages={pages}
        link={(to, props) => (
          <Link to="/subscriptions/receipts" search={{ ...address, page: to }} {...props} />
        )}
      />
      {data && data.count > 0 ? (
        <div className={classes.actions}>
          <KeepCsv name="receipts.csv" ask={(language) => exported(address, language)} />
        </div>
      ) : null}
    </div>
  );
}

type TabsProps = {
  address: ReceiptsAddress;
  /** Undefined until they are known: the tabs have their place from the start. */
  counts: { charged: number; declined: number } | undefined;
};

function Tabs({ address, counts }: TabsProps) {
  return (
    <StatusTabs
      tabs={[
        { tab: "true", words: <Trans>Charged</Trans>, count: counts?.charged },
        {
          tab: "false",
          words: <Trans context="receipts">Declined</Trans>,
          count: counts?.declined,
        },
      ]}
      present={address.ok}
      everything={<Trans context="receipts">All</Trans>}
      link={(ok, props) => (
        <Link
          to="/subscriptions/receipts"
          search={{ ...address, ok, page: undefined }}
          resetScroll={false}
          {...props}
        />
      )}
    />
  );
}

function Opens({ receipt: { uuid, created_at } }: { receipt: Receipt }) {
  const { t, i18n } = useLingui();
  const day = i18n.date(created_at, { dateStyle: "medium", timeStyle: "short" });
  return (
    <Link to="/subscriptions/receipts" search={{ uuid }} aria-label={t`Receipt of ${day}`}>
      {day}
    </Link>
  );
}

function Devices({ receipt: { lines } }: { receipt: Receipt }) {
  const { t } = useLingui();
  const devices = lines.map(({ device_key }) => device_key);
  const more = devices.length - 2;
  return (
    <>
      {devices.slice(0, 2).join(", ")}
      {more > 0 ? t` and ${more} more` : ""}
    </>
  );
}

function Charged({ receipt }: { receipt: Receipt }) {
  const { i18n } = useLingui();
  if (receipt.succeeded) return dollars(i18n, receipt.final_charge - receipt.refunded);
  return (
    <Status tone="fail">
      <Trans>Declined</Trans>
    </Status>
  );
}
