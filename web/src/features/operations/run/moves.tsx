import { Trans, useLingui } from "@lingui/react/macro";
import { useInfiniteQuery } from "@tanstack/react-query";
import { momentInFigures } from "~/shared/time/day";
import { lasted } from "~/shared/time/lasted";
import { Paged } from "~/shared/ui/lists/paged";
import { Titled } from "../more";
import { movesQuery, type RunKind } from "../queries";
import { StateNamed } from "../runs/state";

/** Every change of a run, oldest first: who, when, and how long the state before had lasted. */
export function Moves({ kind, id }: { kind: RunKind; id: string }) {
  const { t, i18n } = useLingui();
  const found = useInfiniteQuery(movesQuery({ kind, id }));
  const named = (state: string) => <StateNamed kind={kind} state={state} />;
  return (
    <Paged of={found}>
      <Titled
        label={t`What happened`}
        rows={found.data?.pages.flatMap(({ results }) => results)}
        keyOf={({ rev }) => rev}
        columns={[
          {
            head: t`When`,
            cell: ({ at }) => momentInFigures(i18n, at),
          },
          {
            head: t`Event`,
            cell: ({ event, note }) => (
              <>
                {event}
                {note ? <small>{note}</small> : null}
              </>
            ),
          },
          { head: t`From`, cell: ({ from_state }) => named(from_state) },
          { head: t`To`, cell: ({ to_state }) => named(to_state) },
          {
            head: t`After`,
            cell: ({ lasted_ms }) => (lasted_ms === null ? "–" : lasted(i18n.locale, lasted_ms)),
          },
          {
            head: t`Who`,
            cell: ({ actor, acting_for }) => (
              <>
                {actor ?? "–"}
                {acting_for ? (
                  <small>
                    <Trans>for {acting_for}</Trans>
                  </small>
                ) : null}
              </>
            ),
          },
        ]}
      />
    </Paged>
  );
}
