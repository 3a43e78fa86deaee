import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { problemOf } from "~/shared/api/errors";
import { dollars } from "~/shared/catalogue/money";
import { download } from "~/shared/files/download";
import { useSession } from "~/shared/session/session";
import { Heading } from "~/shared/ui/heading";
import { ProblemNote } from "~/shared/ui/note";
import { Panel } from "~/shared/ui/panel";
import { csv } from "./csv";
import classes from "./dealers.module.css";
import { NeedsBusiness } from "./needs-business";
import { dealerQuery, type RewardSum, type Stretch, sumsQuery } from "./queries";
import { StretchFields } from "./stretch";

/** What the installers of a business earned, by month and by installer; an installer sees their own. */
export function RewardsScreen({ stretch }: { stretch: Stretch }) {
  const now = useSession();
  const navigate = useNavigate();
  const dealer = useQuery(dealerQuery(now));
  const rep = now.state !== "anonymous" && now.user.is_sales_rep;
  return (
    <div className={classes.page}>
      <Heading>
        <Trans>Rewards</Trans>
      </Heading>
      <p className={classes.soft}>
        <Trans>
          A reward is an amount by product and plan. It is earned when an activation is completed,
          and shared equally among the installers who took part.
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
        </>
      ) : null}
    </div>
  );
}

function Sums({ dealerId, stretch }: { dealerId: string; stretch: Stretch }) {
  const { t, i18n } = useLingui();
  const found = useQuery(sumsQuery(dealerId, stretch));
  if (found.error) {
    return <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />;
  }
  if (!found.data) return <Skeleton height={320} radius="lg" />;
  const { results, total } = found.data;
  if (results.length === 0) {
    return (
      <p role="status">
        <Trans>Nothing was earned yet.</Trans>
      </p>
    );
  }
  return (
    <>
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
        <div className={classes.scroll}>
          <table className={classes.table} aria-label={t`Rewards`}>
            <thead>
              <tr>
                <th scope="col">
                  <Trans>Installer</Trans>
                </th>
                <th scope="col">
                  <Trans>Month</Trans>
                </th>
                <th scope="col" className={classes.figure}>
                  <Trans>Devices</Trans>
                </th>
                <th scope="col" className={classes.figure}>
                  <Trans>Amount</Trans>
                </th>
              </tr>
            </thead>
            <tbody>
              {results.map((one) => (
                <tr key={`${one.installer_id} ${one.month}`}>
                  <th scope="row">
                    <Link
                      to="/rewards/$id"
                      params={{ id: one.installer_id }}
                      className={classes.way}
                    >
                      {one.installer || one.installer_id}
                    </Link>
                  </th>
                  <td>{one.month}</td>
                  <td className={classes.figure}>{i18n.number(one.devices)}</td>
                  <td className={classes.figure}>{dollars(i18n, one.amount)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Panel>
    </>
  );
}

/** A bar for each month; the figure beside it says the same. */
function Months({ sums }: { sums: readonly RewardSum[] }) {
  const { i18n } = useLingui();
  const months = new Map<string, number>();
  for (const { month, amount } of sums) months.set(month, (months.get(month) ?? 0) + amount);
  const most = Math.max(...months.values());
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
        <meter aria-label={month} min={0} max={most} value={amount} />
      </dd>
      <dd>{said}</dd>
    </>
  );
}
