import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { problemOf } from "~/shared/api/errors";
import { dollars } from "~/shared/catalogue/money";
import { useSession } from "~/shared/session/session";
import { DataTable } from "~/shared/ui/data-table";
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
        <DataTable
          label={t`Rewards`}
          rows={results}
          keyOf={(one) => `${one.activation_id} ${one.kind}`}
          columns={[
            {
              head: t`Device`,
              names: true,
              as: "code",
              cell: (one) => (
                <Link
                  to="/activation/device"
                  search={{ id: one.activation_id, step: undefined }}
                  className={classes.way}
                >
                  {one.device_key}
                </Link>
              ),
            },
            { head: t`Installer`, cell: (one) => one.installer || one.installer_id },
            {
              head: t`Earned`,
              cell: (one) => (
                <>
                  {i18n.date(one.earned_at, { dateStyle: "medium", timeZone: "UTC" })}
                  {one.kind === "taken_back" ? (
                    <small>
                      <Trans>taken back: the device was swapped</Trans>
                    </small>
                  ) : null}
                </>
              ),
            },
            { head: t`Shared among`, as: "figure", cell: (one) => i18n.number(one.shared_among) },
            { head: t`Amount`, as: "figure", cell: (one) => dollars(i18n, one.amount) },
          ]}
        />
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
