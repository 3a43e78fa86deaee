import { Trans, useLingui } from "@lingui/react/macro";
import { Skeleton } from "@mantine/core";
import type { Schemas } from "~/shared/api/client";
import { problemOf } from "~/shared/api/errors";
import { ProblemNote } from "~/shared/ui/note";
import { Moves } from "./moves";

type FoldedMovesProps = {
  /** The answer of `useQuery`; it is asked for once this is open. */
  moves: {
    isLoading: boolean;
    error: unknown;
    data: { results: readonly Schemas["Transition"][] } | undefined;
    refetch: () => unknown;
  };
  wordsOf: (state: string) => string;
  onOpen: (open: boolean) => void;
  className: string | undefined;
};

/** What happened to a run, for whoever wants to know. */
export function FoldedMoves({ moves, wordsOf, onOpen, className }: FoldedMovesProps) {
  const { t } = useLingui();
  return (
    <details className={className} onToggle={(event) => onOpen(event.currentTarget.open)}>
      <summary>
        <Trans>What happened</Trans>
      </summary>
      {moves.isLoading ? <Skeleton height={80} /> : null}
      {moves.error ? (
        <ProblemNote problem={problemOf(moves.error)} onRetry={() => void moves.refetch()} />
      ) : null}
      {moves.data ? (
        <Moves moves={moves.data.results} wordsOf={wordsOf} label={t`What happened`} />
      ) : null}
    </details>
  );
}
