import { Trans, useLingui } from "@lingui/react/macro";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { Schemas } from "~/shared/api/client";
import { chartNamed } from "~/shared/flow/charts";
import { FullMap } from "~/shared/flow/map/full-map";
import { Note } from "~/shared/ui/notes/note";
import { Panel } from "~/shared/ui/screens/panel";
import { movesQuery } from "../queries";

/** The whole way of a run, drawn from the chart of its own version. */
export function RunMap({ detail }: { detail: Schemas["RunDetail"] }) {
  const { t } = useLingui();
  const { kind, id, version, state } = detail.run;
  const chart = chartNamed(kind, version);
  const found = useInfiniteQuery({ ...movesQuery({ kind, id }), enabled: kind !== "invitation" });
  const taken = found.data?.pages.flatMap(({ results }) => results) ?? [];
  if (!chart)
    return (
      <Note tone="plain">
        <Trans>This page is older than this run and cannot draw it. Reload it.</Trans>
      </Note>
    );
  return (
    <Panel>
      <details open>
        <summary>
          <Trans>The whole way</Trans>
        </summary>
        <FullMap
          chart={chart}
          plan={detail.plan}
          state={state}
          taken={taken}
          skipped={detail.skipped}
          label={t`The whole way`}
        />
      </details>
    </Panel>
  );
}
