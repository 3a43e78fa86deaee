import { Trans, useLingui } from "@lingui/react/macro";
import type { Schemas } from "~/shared/api/client";
import { problemOf } from "~/shared/api/errors";
import { clock } from "~/shared/time/age";
import { DataTable } from "~/shared/ui/lists/data-table";
import { ProblemNote } from "~/shared/ui/notes/note";

type Moves = readonly Schemas["Transition"][];

type FoldedMovesProps = {
  /** The answer of `useQuery`; it is asked for once this is open. */
  moves: {
    isLoading: boolean;
    error: unknown;
    data: { results: Moves } | undefined;
    refetch: () => unknown;
  };
  wordsOf: (state: string) => string;
  onOpen: (open: boolean) => void;
  className: string | undefined;
};

/** What happened to a run, for whoever wants to know, oldest first: when, where to, by whom, and how long it stayed there. */
export function FoldedMoves({ moves, wordsOf, onOpen, className }: FoldedMovesProps) {
  const { t, i18n } = useLingui();
  const rows = moves.data?.results;
  return (
    <details className={className} onToggle={(event) => onOpen(event.currentTarget.open)}>
      <summary>
        <Trans>What happened</Trans>
      </summary>
      {moves.error ? (
        <ProblemNote problem={problemOf(moves.error)} onRetry={() => void moves.refetch()} />
      ) : null}
      {rows || moves.isLoading ? (
        <DataTable
          label={t`What happened`}
          rows={rows}
          keyOf={({ rev }) => rev}
          columns={[
            {
              head: t`When`,
              cell: ({ at }) => i18n.date(at, { dateStyle: "short", timeStyle: "medium" }),
            },
            {
              head: t`What`,
              cell: ({ to_state, note }) => (
                <>
                  {wordsOf(to_state)}
                  {note ? <small>{note}</small> : null}
                </>
              ),
            },
            { head: t`By`, cell: ({ actor }) => actor ?? "–" },
            {
              head: t`For how long`,
              as: "figure",
              cell: ({ at }, place) => lasted(at, rows?.[place + 1]?.at),
            },
          ]}
        />
      ) : null}
    </details>
  );
}

/** Until the next change; the last one has none. */
function lasted(from: string, until: string | undefined): string {
  if (until === undefined) return "–";
  return clock(Math.max(0, Math.round((Date.parse(until) - Date.parse(from)) / 1000)));
}
