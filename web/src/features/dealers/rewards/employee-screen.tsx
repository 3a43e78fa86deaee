import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { problemOf } from "~/shared/api/errors";
import { dollars } from "~/shared/catalogue/money";
import { CONSTANTS } from "~/shared/constants";
import { useSession } from "~/shared/session/session";
import { Choice } from "~/shared/ui/fields/choice";
import { DataTable } from "~/shared/ui/lists/data-table";
import { PageLinks } from "~/shared/ui/lists/page-links";
import { isLost, ProblemNote } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "../dealers.module.css";
import { NeedsBusiness } from "../needs-business";
import { dealerQuery, type Part, rewardsQuery, type Stretch } from "../queries";
import { StretchFields } from "./stretch";

type EmployeeScreenProps = { installerId: string; part: Part; stretch: Stretch };

/** What one installer earned with each device, and what of it was taken back: an entry of its own. */
export function EmployeeScreen({ installerId, part, stretch }: EmployeeScreenProps) {
  const { t } = useLingui();
  const now = useSession();
  const navigate = useNavigate();
  const dealer = useQuery(dealerQuery(now));
  const rep = now.state !== "anonymous" && now.user.is_sales_rep;
  const { page, rows } = part;
  const show = (search: Stretch & { rows?: number }) =>
    void navigate({ to: "/rewards/$id", params: { id: installerId }, search, replace: true });
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
            onChange={(next) => show({ ...next, rows: addressed(rows) })}
          />
          <Devices dealerId={dealer.data} installerId={installerId} part={part} stretch={stretch}>
            <Choice
              label={t`Per page`}
              value={String(rows)}
              options={CONSTANTS.tablePageSizes.map((n) => ({
                value: String(n),
                label: String(n),
              }))}
              onChange={(value) => show({ ...stretch, rows: addressed(Number(value)) })}
            />
          </Devices>
        </>
      ) : null}
    </div>
  );
}

/** What is the default is left out. */
function addressed(rows: number): number | undefined {
  return rows === CONSTANTS.tablePageSize ? undefined : rows;
}

type DevicesProps = EmployeeScreenProps & { dealerId: string; children: ReactNode };

function Devices({ dealerId, installerId, part, stretch, children }: DevicesProps) {
  const { t, i18n } = useLingui();
  const { page, rows } = part;
  const navigate = useNavigate();
  const found = useQuery(rewardsQuery(dealerId, installerId, part, stretch));
  const pages = Math.ceil((found.data?.count ?? 0) / rows);

  useEffect(() => {
    if (!found.isSuccess || pages === 0 || page <= pages) return;
    const search = { ...stretch, page: pages, rows: addressed(rows) };
    const params = { id: installerId };
    void navigate({ to: "/rewards/$id", params, search, replace: true });
  });

  const failure = found.error && (
    <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
  );
  if (isLost(found)) return failure;
  if (!found.data) return <Skeleton height={320} radius="lg" />;
  const { results, count, total } = found.data;
  return (
    <Panel className={classes.panel}>
      {failure}
      <div className={classes.head}>
        <p role="status">
          <Plural value={count} _0="Nothing was earned yet." one="# entry" other="# entries" />
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
                      <Trans>taken back: the device was swapped, or its plan paid back</Trans>
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
        pages={pages}
        link={(wanted, props) => (
          <Link
            to="/rewards/$id"
            params={{ id: installerId }}
            search={{ ...stretch, page: wanted, rows: addressed(rows) }}
            {...props}
          />
        )}
      />
      {count > Math.min(...CONSTANTS.tablePageSizes) ? children : null}
    </Panel>
  );
}
