import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { problemOf } from "~/shared/api/errors";
import { dollars } from "~/shared/catalogue/money";
import { download } from "~/shared/files/download";
import { PAYOUT_WORDS } from "~/shared/payments/payout-words";
import { DataTable } from "~/shared/ui/lists/data-table";
import { EmptyState } from "~/shared/ui/lists/empty-state";
import { isLost, ProblemNote } from "~/shared/ui/notes/note";
import { Status } from "~/shared/ui/notes/status";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "../dealers.module.css";
import { payoutsQuery, type Stretch } from "../queries";
import { csv } from "./csv";

/** What was paid to the business for each month, for those who run it. */
export function Payouts({ dealerId, stretch }: { dealerId: string; stretch: Stretch }) {
  const { t, i18n } = useLingui();
  const found = useQuery(payoutsQuery(dealerId, stretch));
  const rows = found.data?.results;
  const said = (day: string | null) =>
    day ? i18n.date(day, { dateStyle: "medium", timeZone: "UTC" }) : "–";
  return (
    <Panel className={classes.panel} aria-labelledby="payouts">
      <div className={classes.head}>
        <h2 id="payouts">
          <Trans>Payouts</Trans>
        </h2>
        <Button
          variant="default"
          size="md"
          disabled={!rows?.length}
          aria-label={t`Download as CSV: payouts`}
          onClick={() =>
            download(
              "payouts.csv",
              csv([
                [t`Month`, t`Devices`, t`Amount`, t`State`, t`Paid on`],
                ...(rows ?? []).map((one) => [
                  one.month,
                  one.devices,
                  one.amount,
                  i18n._(PAYOUT_WORDS[one.state].said),
                  one.paid_at?.slice(0, 10) ?? "",
                ]),
              ]),
            )
          }
        >
          <Trans>Download as CSV</Trans>
        </Button>
      </div>
      <p className={classes.soft}>
        <Trans>
          The rewards of a month are paid on the second of the next one, to the payout account that
          owners set up in <Link to="/my-business">My Business</Link>.
        </Trans>
      </p>
      {found.error ? (
        <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
      ) : null}
      {isLost(found) ? null : (
        <DataTable
          label={t`Payouts`}
          rows={rows}
          keyOf={({ month }) => month}
          empty={
            <EmptyState
              action={
                <Link to="/my-business">
                  <Trans>The payout account</Trans>
                </Link>
              }
            >
              <Trans>Nothing is to be paid.</Trans>
            </EmptyState>
          }
          columns={[
            { head: t`Month`, names: true, cell: ({ month }) => month },
            { head: t`Devices`, as: "figure", cell: ({ devices }) => i18n.number(devices) },
            { head: t`Amount`, as: "figure", cell: ({ amount }) => dollars(i18n, amount) },
            {
              head: t`State`,
              cell: ({ state }) => (
                <Status tone={PAYOUT_WORDS[state].tone}>{i18n._(PAYOUT_WORDS[state].said)}</Status>
              ),
            },
            { head: t`Paid on`, cell: ({ paid_at }) => said(paid_at ?? null) },
          ]}
        />
      )}
    </Panel>
  );
}
