import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Skeleton } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { problemOf } from "~/shared/api/errors";
import { below } from "~/shared/api/operation";
import { useSend } from "~/shared/api/send";
import { Age } from "~/shared/time/age";
import { EmptyState } from "~/shared/ui/lists/empty-state";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import { Titled } from "../more";
import classes from "../operations.module.css";
import { Comparisons } from "./comparisons";
import { compare, type ErpMirror, erpMirrorQuery } from "./queries";
import { FEED_WORDS, RECORDS_WORDS } from "./words";

/** How our catalogue, prices, stock and businesses stand to the ERP's. `shown` is the comparison whose differences are told. */
export function ErpScreen({ shown }: { shown: string | undefined }) {
  const found = useQuery(erpMirrorQuery);
  const now = found.data;
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <Heading>
          <Trans>Compared with the ERP</Trans>
        </Heading>
        <CompareNow />
      </div>
      {found.isPending ? <Skeleton height={110} radius="lg" /> : null}
      {found.isError ? (
        <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
      ) : null}
      {now ? (
        <>
          <Feed feed={now.feed} />
          <Aside aside={now.aside} />
          <Comparisons comparisons={now.comparisons} shown={shown} />
        </>
      ) : null}
    </div>
  );
}

function CompareNow() {
  const queries = useQueryClient();
  const { busy, problem, done, send } = useSend();
  return (
    <>
      <Button
        size="md"
        loading={busy}
        onClick={() =>
          void send(async () => {
            await compare();
            await queries.invalidateQueries({ predicate: below("/v1/operations/erp") });
          }, [])
        }
      >
        <Trans>Compare now</Trans>
      </Button>
      <ProblemNote problem={problem} />
      {done ? (
        <Note tone="ok">
          <Trans>It is being compared. What is found appears below.</Trans>
        </Note>
      ) : null}
    </>
  );
}

function Feed({ feed }: { feed: ErpMirror["feed"] }) {
  const { t, i18n } = useLingui();
  if (feed.length === 0)
    return (
      <EmptyState
        action={
          <Link to="/operations">
            <Trans>Operations</Trans>
          </Link>
        }
      >
        <Trans>Nothing was read from the ERP yet</Trans>
      </EmptyState>
    );
  return (
    <Titled
      label={t`Changes from the ERP`}
      rows={feed}
      keyOf={({ feed }) => feed}
      columns={[
        { head: t`Records`, names: true, cell: ({ feed }) => i18n._(FEED_WORDS[feed]) },
        { head: t`Last read`, cell: ({ read_at }) => <Age since={read_at} /> },
        { head: t`Last change there`, as: "code", cell: ({ until }) => until || "–" },
      ]}
    />
  );
}

function Aside({ aside }: { aside: ErpMirror["aside"] }) {
  const { t, i18n } = useLingui();
  return (
    <Titled
      label={t`Set aside`}
      rows={aside}
      keyOf={({ records, code }) => `${records} ${code}`}
      columns={[
        {
          head: t`Record`,
          as: "code",
          names: true,
          cell: ({ records, code }) => (
            <>
              {code}
              <small>{i18n._(RECORDS_WORDS[records])}</small>
            </>
          ),
        },
        { head: t`Why`, cell: ({ reason }) => <span lang="en">{reason}</span> },
        { head: t`Since`, cell: ({ since }) => <Age since={since} /> },
        { head: t`Last tried`, cell: ({ tried_at }) => <Age since={tried_at} /> },
      ]}
    />
  );
}
