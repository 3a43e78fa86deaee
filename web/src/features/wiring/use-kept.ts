import { useLingui } from "@lingui/react";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { type KeptSection, keep } from "~/shared/kept/kept";
import { COLUMNS, SOURCE_NAMES } from "./columns";
import { textOf } from "./document-text";
import { wiresQuery } from "./queries";
import type { ExternalWiring, Folder, InternalWiring, Wire } from "./types";
import { type Group, groupsOf } from "./use-wires";

/** The page comes first; what is kept for later is fetched after it. */
const LATER_MS = 1500;

/** Keeps a vehicle that was opened, with the wires of every source, for reading without a network. */
export function useKeptVehicle(
  value: string,
  name: string,
  internal: InternalWiring | null | undefined,
  external: ExternalWiring | null | undefined,
): void {
  const queries = useQueryClient();
  const { i18n } = useLingui();
  useEffect(() => {
    if (!name || internal === undefined || external === undefined) return;
    if (!internal && !external) return;
    const timer = setTimeout(() => void keepNow().catch(() => undefined), LATER_MS);
    return () => clearTimeout(timer);

    async function keepNow() {
      const own: Group[] = [];
      for (const { uuid, title } of internal?.wiring_categories ?? []) {
        const wires = await queries.fetchQuery({
          ...wiresQuery(internal?.id ?? 0, uuid),
          staleTime: Number.POSITIVE_INFINITY,
        });
        own.push({ id: uuid, title, source: "internal", wires });
      }
      const groups = [
        ...own,
        ...groupsOf(external, "adsWiring"),
        ...groupsOf(external, "autoMobWiring"),
      ];
      await keep({
        id: `vehicle:${value}`,
        kind: "vehicle",
        title: name,
        at: new Date().toISOString(),
        text: internal?.description ? [internal.description] : [],
        sections: groups.map(sectionOf),
      });
    }

    function sectionOf({ title, source, wires }: Group): KeptSection {
      return {
        title: [SOURCE_NAMES[source], title].filter(Boolean).join(": "),
        rows: wires.map((wire: Wire) => ({
          name: wire.function,
          color: wire.color,
          cells: COLUMNS[source]
            .filter(({ key }) => key !== "function" && wire[key] !== "")
            .map(({ key, title: column }) => ({ title: i18n._(column), value: String(wire[key]) })),
        })),
      };
    }
  }, [queries, i18n, value, name, internal, external]);
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
