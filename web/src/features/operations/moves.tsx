import { Trans, useLingui } from "@lingui/react/macro";
import { Skeleton } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { problemOf } from "~/shared/api/errors";
import { ProblemNote } from "~/shared/ui/note";
import { ShowMore } from "~/shared/ui/paged";
import { lasted } from "./lasted";
import { SmallTable } from "./more";
import { movesQuery, type RunKind } from "./queries";

/** Every change of a run, oldest first: who, when, and how long the state before had lasted. */
export function Moves({ kind, id }: { kind: RunKind; id: string }) {
  const { t, i18n } = useLingui();
  const found = useInfiniteQuery(movesQuery({ kind, id }));
  const moves = found.data?.pages.flatMap(({ results }) => results) ?? [];
  if (found.isPending) return <Skeleton height={260} radius="lg" />;
  return (
    <>
      {found.isError ? (
        <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
      ) : null}
      <SmallTable
        label={t`What happened`}
        heads={[t`When`, t`Event`, t`From`, t`To`, t`After`, t`Who`]}
      >
        {moves.map((move) => (
          <tr key={move.rev}>
            <td>{i18n.date(move.at, { dateStyle: "short", timeStyle: "medium" })}</td>
            <td>
              {move.event}
              {move.note ? <small>{move.note}</small> : null}
            </td>
            <td>{move.from_state}</td>
            <td>{move.to_state}</td>
            <td>{move.lasted_ms === null ? "–" : lasted(i18n.locale, move.lasted_ms)}</td>
            <td>
              {move.actor ?? "–"}
              {move.acting_for ? (
                <small>
                  <Trans>for {move.acting_for}</Trans>
                </small>
              ) : null}
            </td>
          </tr>
        ))}
      </SmallTable>
      <ShowMore of={found} />
    </>
  );
}
