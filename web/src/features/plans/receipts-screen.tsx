import { Trans, useLingui } from "@lingui/react/macro";
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { problemOf } from "~/shared/api/errors";
import { dollars } from "~/shared/catalogue/money";
import { CONSTANTS } from "~/shared/constants";
import { Heading } from "~/shared/ui/heading";
import { ProblemNote } from "~/shared/ui/note";
import { PageLinks } from "~/shared/ui/page-links";
import { Status } from "~/shared/ui/status";
import { ReceiptFilters } from "./parts/receipt-filters";
import { type Receipt, receiptsQuery } from "./receipt-queries";
import classes from "./receipts.module.css";
import type { ReceiptsAddress } from "./receipts-address";

/** The receipts of the business's purchases of plans, the latest first. */
export function ReceiptsScreen({ address }: { address: ReceiptsAddress }) {
  const { t } = useLingui();
  const found = useQuery(receiptsQuery(address));
  const { data } = found;
  return (
    <div className={classes.page}>
      <Heading>
        <Trans>Receipts</Trans>
      </Heading>
      <ReceiptFilters address={address} />
      {found.isPending ? <Skeleton height={280} radius="lg" /> : null}
      {found.error ? (
        <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
      ) : null}
      {data?.count === 0 ? (
        <p role="status">
          {address.value || address.ok ? (
            <Trans>No receipt fits.</Trans>
          ) : (
            <Trans>Receipts of plans that you buy appear here.</Trans>
          )}
        </p>
      ) : null}
      {data && data.results.length > 0 ? (
        <ul className={classes.list} aria-label={t`Receipts`} aria-busy={found.isFetching}>
          {data.results.map((receipt) => (
            <Row key={receipt.uuid} receipt={receipt} />
          ))}
        </ul>
      ) : null}
      {data ? <Pages address={address} count={data.count} /> : null}
    </div>
  );
}

function Row({ receipt }: { receipt: Receipt }) {
  const { t, i18n } = useLingui();
  const day = i18n.date(receipt.created_at, { dateStyle: "medium", timeStyle: "short" });
  const devices = receipt.lines.map(({ device_key }) => device_key);
  return (
    <li className={classes.row}>
      <Link
        to="/subscriptions/receipts"
        search={{ uuid: receipt.uuid }}
        aria-label={t`Receipt of ${day}`}
      >
        {day}
      </Link>
      <span className={classes.devices}>
        {devices.slice(0, 2).join(", ")}
        {devices.length > 2 ? t` and ${devices.length - 2} more` : ""}
      </span>
      <span>{receipt.payment_shown}</span>
      <span className={classes.amount}>
        {receipt.succeeded ? (
          dollars(i18n, receipt.final_charge - receipt.refunded)
        ) : (
          <Status tone="fail">
            <Trans>Declined</Trans>
          </Status>
        )}
      </span>
    </li>
  );
}

function Pages({ address, count }: { address: ReceiptsAddress; count: number }) {
  const { page = 1, limit = CONSTANTS.tablePageSize } = address;
  return (
    <PageLinks
      present={page}
      pages={Math.ceil(count / limit)}
      link={(to, props) => (
        <Link to="/subscriptions/receipts" search={{ ...address, page: to }} {...props} />
      )}
    />
  );
}
