import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { problemOf } from "~/shared/api/errors";
import { dollars } from "~/shared/catalogue/money";
import { download } from "~/shared/files/download";
import { useSession } from "~/shared/session/session";
import { DataTable } from "~/shared/ui/lists/data-table";
import { EmptyState } from "~/shared/ui/lists/empty-state";
import { isLost, ProblemNote } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "../dealers.module.css";
import { NeedsBusiness } from "../needs-business";
import { dealerQuery, type RewardSum, type Stretch, sumsQuery } from "../queries";
import { Amounts } from "./amounts";
import { csv } from "./csv";
import { Payouts } from "./payouts";
import { StretchFields } from "./stretch";

/** What the installers of a business earned, by month and by installer; an installer sees their own. */
export function RewardsScreen({ stretch }: { stretch: Stretch }) {
  const now = useSession();
  const navigate = useNavigate();
  const dealer = useQuery(dealerQuery(now));
  const rep = now.state !== "anonymous" && now.user.is_sales_rep;
  const runs = rep || (now.state !== "anonymous" && now.user.is_owner);
  return (
    <div className={classes.page}>
      <Heading>
        <Trans>Rewards</Trans>
      </Heading>
      <p className={classes.soft}>
        <Trans>
          A reward is an amount by product and plan. It is earned when an activation is completed,
          and shared equally among the installers who took part. A device that is swapped within 30
          days takes it back in the next month. Days and months are those of UTC.
        </Trans>
      </p>
      {dealer.error ? (
        <ProblemNote problem={problemOf(dealer.error)} onRetry={() => void dealer.refetch()} />
      ) : null}
      {dealer.data === null ? <NeedsBusiness rep={rep} /> : null}
      {dealer.data ? (
        <>
          <StretchFields
            stretch={stretch}
            onChange={(next) => void navigate({ to: "/rewards", search: next, replace: true })}
          />
          <Sums dealerId={dealer.data} stretch={stretch} />
          {runs ? <Payouts dealerId={dealer.data} stretch={stretch} /> : null}
          <Amounts dealerId={dealer.data} stretch={stretch} />
        </>
      ) : null}
    </div>
  );
}

function Sums({ dealerId, stretch }: { dealerId: string; stretch: Stretch }) {
  const { t, i18n } = useLingui();
  const found = useQuery(sumsQuery(dealerId, stretch));
  const failure = found.error && (
    <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
  );
  if (isLost(found)) return failure;
  // As tall as both panels: what stands below is not pushed away.
  if (!found.data) return <Skeleton height={640} radius="lg" />;
  const { results, total } = found.data;
  if (results.length === 0) {
    return (
      <>
        {failure}
        <EmptyState
          action={
            <Link to="/activation">
              <Trans>Begin an activation</Trans>
            </Link>
          }
        >
          <Trans>Nothing was earned yet.</Trans>
        </EmptyState>
      </>
    );
  }
  return (
    <>
      {failure}
      <Panel className={classes.panel} aria-labelledby="by-month">
        <div className={classes.head}>
          <h2 id="by-month">
            <Trans>By month</Trans>
          </h2>
          <p>
            <Trans>In all: {dollars(i18n, total)}</Trans>
          </p>
        </div>
        <Months sums={results} />
      </Panel>
      <Panel className={classes.panel} aria-labelledby="by-installer">
        <div className={classes.head}>
          <h2 id="by-installer">
            <Trans>By installer</Trans>
          </h2>
          <Button
            variant="default"
            size="md"
            onClick={() =>
              download(
                "rewards.csv",
                csv([
                  [t`Installer`, t`Month`, t`Devices`, t`Amount`],
                  ...results.map((one) => [one.installer, one.month, one.devices, one.amount]),
                ]),
              )
            }
          >
            <Trans>Download as CSV</Trans>
          </Button>
        </div>
        <DataTable
          label={t`Rewards`}
          rows={results}
          keyOf={(one) => `${one.installer_id} ${one.month}`}
          columns={[
            {
              head: t`Installer`,
              names: true,
              cell: (one) => (
                <Link to="/rewards/$id" params={{ id: one.installer_id }} className={classes.way}>
                  {one.installer || one.installer_id}
                </Link>
              ),
            },
            { head: t`Month`, cell: (one) => one.month },
            { head: t`Devices`, as: "figure", cell: (one) => i18n.number(one.devices) },
            { head: t`Amount`, as: "figure", cell: (one) => dollars(i18n, one.amount) },
          ]}
        />
      </Panel>
    </>
  );
}

/** A bar for each month; the figure beside it says the same. */
function Months({ sums }: { sums: readonly RewardSum[] }) {
  const { i18n } = useLingui();
  const months = new Map<string, number>();
  for (const { month, amount } of sums) months.set(month, (months.get(month) ?? 0) + amount);
  const most = Math.max(...months.values(), 1);
  return (
    <dl className={classes.bars}>
      {[...months].map(([month, amount]) => (
        <Bar key={month} month={month} amount={amount} most={most} said={dollars(i18n, amount)} />
      ))}
    </dl>
  );
}

type BarProps = { month: string; amount: number; most: number; said: string };

function Bar({ month, amount, most, said }: BarProps) {
  return (
    <>
      <dt>{month}</dt>
      <dd>
        <meter aria-label={month} min={0} max={most} value={Math.max(amount, 0)} />
      </dd>
      <dd>{said}</dd>
    </>
  );
}
