import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { problemOf } from "~/shared/api/errors";
import { dollars } from "~/shared/catalogue/money";
import { useSession } from "~/shared/session/session";
import { Heading } from "~/shared/ui/heading";
import { ProblemNote } from "~/shared/ui/note";
import { PageLinks } from "~/shared/ui/page-links";
import { Panel } from "~/shared/ui/panel";
import classes from "./dealers.module.css";
import { NeedsBusiness } from "./needs-business";
import { dealerQuery, REWARDS_PAGE, rewardsQuery, type Stretch } from "./queries";
import { StretchFields } from "./stretch";

type EmployeeScreenProps = { installerId: string; page: number; stretch: Stretch };

/** Each device with which one installer earned something. */
export function EmployeeScreen({ installerId, page, stretch }: EmployeeScreenProps) {
  const now = useSession();
  const navigate = useNavigate();
  const dealer = useQuery(dealerQuery(now));
  const rep = now.state !== "anonymous" && now.user.is_sales_rep;
  return (
    <div className={classes.page}>
      <Heading focusKey={String(page)}>
        <Trans>Employee Rewards</Trans>
      </Heading>
      {dealer.error ? (
        <ProblemNote problem={problemOf(dealer.error)} onRetry={() => void dealer.refetch()} />
      ) : null}
      {dealer.data === null ? <NeedsBusiness rep={rep} /> : null}
      {dealer.data ? (
        <>
          <StretchFields
            stretch={stretch}
            onChange={(next) =>
              void navigate({
                to: "/rewards/$id",
                params: { id: installerId },
                search: next,
                replace: true,
              })
            }
          />
          <Devices dealerId={dealer.data} installerId={installerId} page={page} stretch={stretch} />
        </>
      ) : null}
    </div>
  );
}

function Devices({
  dealerId,
  installerId,
  page,
  stretch,
}: EmployeeScreenProps & { dealerId: string }) {
  const { t, i18n } = useLingui();
  const found = useQuery(rewardsQuery(dealerId, installerId, page, stretch));
  if (found.error) return <ProblemNote problem={problemOf(found.error)} />;
  if (!found.data) return <Skeleton height={320} radius="lg" />;
  const { results, count, total } = found.data;
  return (
    <Panel className={classes.panel}>
      <div className={classes.head}>
        <p role="status">
          <Plural value={count} _0="Nothing was earned yet." one="# device" other="# devices" />
        </p>
        <p>
          <Trans>In all: {dollars(i18n, total)}</Trans>
        </p>
      </div>
      {count > 0 ? (
        <div className={classes.scroll}>
          <table className={classes.table} aria-label={t`Rewards`}>
            <thead>
              <tr>
                <th scope="col">
                  <Trans>Device</Trans>
                </th>
                <th scope="col">
                  <Trans>Installer</Trans>
                </th>
                <th scope="col">
                  <Trans>Earned</Trans>
                </th>
                <th scope="col" className={classes.figure}>
                  <Trans>Shared among</Trans>
                </th>
                <th scope="col" className={classes.figure}>
                  <Trans>Amount</Trans>
                </th>
              </tr>
            </thead>
            <tbody>
              {results.map((one) => (
                <tr key={one.activation_id}>
                  <th scope="row">
                    <Link
                      to="/activation/device"
                      search={{ id: one.activation_id, step: undefined }}
                      className={classes.way}
                    >
                      {one.device_key}
                    </Link>
                  </th>
                  <td>{one.installer || one.installer_id}</td>
                  <td>{i18n.date(one.earned_at, { dateStyle: "medium", timeZone: "UTC" })}</td>
                  <td className={classes.figure}>{i18n.number(one.shared_among)}</td>
                  <td className={classes.figure}>{dollars(i18n, one.amount)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      <PageLinks
        present={page}
        pages={Math.ceil(count / REWARDS_PAGE)}
        link={(wanted, props) => (
          <Link
            to="/rewards/$id"
            params={{ id: installerId }}
            search={{ ...stretch, page: wanted }}
            {...props}
          />
        )}
      />
    </Panel>
  );
}
