import { useQueries } from "@tanstack/react-query";
import { type Problem, problemOf } from "~/shared/api/errors";
import { SOURCE_NAMES, type SourceReport } from "~/shared/vehicles/wiring/source-note";
import { wiresQuery } from "./queries";
import type { ExternalWiring, InternalWiring, Wire } from "./types";

/** A part of a source's wiring with its rows: a category of ours, or a trim of an outside source. */
export type Group = {
  id: string;
  title: string;
  source: Wire["source"];
  wires: readonly Wire[];
  /** Its rows could not be loaded: it has more than `wires` tell. */
  isLacking?: boolean;
};

/** Why rows of our own reference did not come, of which categories, and another try. */
export type Lacking = { problem: Problem; titles: readonly string[]; retry: () => void };

/** The rows of our own reference, category by category; asked for when they are `wanted`. */
export function useInternalGroups(
  internal: InternalWiring | null | undefined,
  wanted = true,
): { groups: Group[]; pending: boolean; lacking: Lacking | undefined } {
  const categories = internal?.wiring_categories ?? [];
  const answers = useQueries({
    queries: categories.map(({ uuid }) => ({
      ...wiresQuery(internal?.id ?? 0, uuid),
      enabled: wanted,
    })),
  });
  const groups = categories.map(({ uuid, title }, place): Group => {
    const { data, isError } = answers[place] ?? {};
    const isLacking = wanted && isError && data === undefined;
    return { id: uuid, title, source: "internal", wires: data ?? [], isLacking };
  });
  const failed = answers.filter((_, place) => groups[place]?.isLacking);
  const lacking = failed[0] && {
    problem: problemOf(failed[0].error),
    titles: groups.filter(({ isLacking }) => isLacking).map(({ title }) => title),
    retry: () => void Promise.all(failed.map(({ refetch }) => refetch())),
  };
  return { groups, pending: answers.some(({ isPending }) => isPending), lacking };
}

const OUTSIDE = ["adsWiring", "autoMobWiring"] as const;

/** How each source answered for a vehicle. Outside sources that could not even be asked are away. */
export function reportsOf(
  internal: InternalWiring | null | undefined,
  external: { data?: ExternalWiring | null; isError: boolean },
): SourceReport[] {
  const own: SourceReport[] = internal
    ? [
        {
          source: "internal",
          name: SOURCE_NAMES.internal,
          state: "fresh",
          fetched_at: internal.updated_at,
          count: internal.wiring_categories.reduce((sum, { count }) => sum + count, 0),
        },
      ]
    : [];
  const outside =
    external.isError && !external.data
      ? OUTSIDE.map(
          (source): SourceReport => ({
            source,
            name: SOURCE_NAMES[source],
            state: "away",
            fetched_at: null,
            count: 0,
          }),
        )
      : (external.data?.sources ?? []);
  return [...own, ...outside];
}

/** The rows of an outside source, trim by trim. */
export function groupsOf(
  external: ExternalWiring | null | undefined,
  source: "adsWiring" | "autoMobWiring",
): Group[] {
  const trims =
    source === "adsWiring"
      ? (external?.adsWiring ?? []).map(({ trim, wires }) => ({ trim, wires }))
      : (external?.autoMobWiring ?? []).map(({ Trim, wires }) => ({ trim: Trim, wires }));
  return trims.map(({ trim, wires }) => ({ id: `${source}:${trim}`, title: trim, source, wires }));
}
