import { useLingui } from "@lingui/react";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { allKept, type KeptSection, keep } from "~/shared/kept/kept";
import { personOf } from "~/shared/session/session";
import { SOURCE_NAMES, sourceWords } from "~/shared/vehicles/wiring/source-note";
import { COLUMNS, TRIM } from "../columns";
import { textOf } from "../document-text";
import { lackingWords } from "../parts/lacking-note";
import { mirrorsWords } from "../parts/mirrors-note";
import { wiresQuery } from "../queries";
import type { ExternalWiring, Folder, InternalWiring, Wire } from "../types";
import { type Group, groupsOf, reportsOf } from "../use-wires";

/** The page comes first; what is kept for later is fetched after it. */
const LATER_MS = 1500;

const OURS_AWAY = {
  source: "internal",
  name: SOURCE_NAMES.internal,
  state: "away",
  fetched_at: null,
  count: 0,
} as const;

/** What a call came to; nothing while it is under way. */
type Answer<T> = { data?: T | null | undefined; isError: boolean };

/**
 * Keeps a vehicle that was opened, with the wires of every source, for reading without a network. A call that failed costs
 * its own part, which is named, and never what was kept of the vehicle before.
 */
export function useKeptVehicle(
  value: string,
  name: string,
  { data: own, isError: ownFailed }: Answer<InternalWiring>,
  { data: outside, isError: outsideFailed }: Answer<ExternalWiring>,
): void {
  const queries = useQueryClient();
  const { i18n } = useLingui();
  const internal = own ?? (ownFailed ? null : own);
  const external = outside ?? (outsideFailed ? null : outside);
  const whole = own !== undefined && outside !== undefined;
  useEffect(() => {
    if (!name || internal === undefined || external === undefined) return;
    if (!internal && !external) return;
    const timer = setTimeout(() => void keepNow().catch(() => undefined), LATER_MS);
    return () => clearTimeout(timer);

    async function keepNow() {
      const [id, whose] = [`vehicle:${value}`, personOf()];
      const ours: Group[] = [];
      const lacking: string[] = [];
      for (const { uuid, title } of internal?.wiring_categories ?? []) {
        const wires = await queries
          .fetchQuery({
            ...wiresQuery(internal?.id ?? 0, uuid),
            staleTime: Number.POSITIVE_INFINITY,
          })
          .catch(() => undefined);
        if (wires) ours.push({ id: uuid, title, source: "internal", wires });
        else lacking.push(title);
      }
      if (personOf() !== whose) return;
      const isWhole = whole && lacking.length === 0;
      if (!isWhole && (await allKept()).some((one) => one.id === id)) return;
      const groups = [
        ...ours,
        ...groupsOf(external, "adsWiring"),
        ...groupsOf(external, "autoMobWiring"),
      ];
      await keep({
        id,
        kind: "vehicle",
        title: name,
        at: new Date().toISOString(),
        text: texts(),
        lacks: [...awayNow(), ...lackingIn(lacking)],
        sections: groups.map(sectionOf),
      });
    }

    function lackingIn(lacking: readonly string[]): string[] {
      const titles = new Intl.ListFormat(i18n.locale).format(lacking);
      return lacking.length > 0 ? [i18n._(lackingWords(titles))] : [];
    }

    function texts(): string[] {
      const mirrored = internal?.mirrors_vehicle;
      return [
        ...(mirrored ? [i18n._(mirrorsWords(mirrored))] : []),
        ...(internal?.description ? [internal.description] : []),
      ];
    }

    function awayNow(): string[] {
      return [
        ...(ownFailed && !internal ? [OURS_AWAY] : []),
        ...reportsOf(internal, { data: external, isError: !external && outsideFailed }),
      ]
        .filter(({ state }) => state !== "fresh")
        .map((report) =>
          [i18n._(sourceWords(report)), report.fetched_at && i18n.date(report.fetched_at)]
            .filter(Boolean)
            .join(" "),
        );
    }

    function sectionOf({ title, source, wires }: Group): KeptSection {
      return {
        title: [SOURCE_NAMES[source], title].filter(Boolean).join(": "),
        rows: wires.map((wire: Wire) => ({
          name: wire.function,
          color: wire.color,
          cells: [...COLUMNS[source], ...(wire.trim === title ? [] : [TRIM])]
            .filter(({ key }) => key !== "function" && wire[key] !== "")
            .map(({ key, title: column }) => ({ title: i18n._(column), value: String(wire[key]) })),
        })),
      };
    }
  }, [queries, i18n, value, name, internal, external, ownFailed, outsideFailed, whole]);
}

/** Keeps a guide that was opened. */
export function useKeptGuide(open: Folder["documents"][number] | undefined): void {
  useEffect(() => {
    if (!open) return;
    void keep({
      id: `guide:${open.slug}`,
      kind: "guide",
      title: open.title,
      at: new Date().toISOString(),
      text: textOf(open.title, open.blocks).split("\n").filter(Boolean),
      sections: [],
    }).catch(() => undefined);
  }, [open]);
}
