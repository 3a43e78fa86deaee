import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Skeleton } from "@mantine/core";
import { useState } from "react";
import { SOURCE_NAMES, SourceNote, type SourceReport } from "~/shared/vehicles/wiring/source-note";
import { isOfTrim } from "../columns";
import type { Wire } from "../types";
import type { Group } from "../use-wires";
import classes from "../wiring.module.css";
import { type Mirrored, MirrorsNote } from "./mirrors-note";
import { WireTable } from "./wire-table";

type WiringSlideProps = {
  groups: readonly Group[];
  /** All rows of all sources, to tell where they differ. */
  all: readonly Wire[];
  mirrored: Mirrored | undefined;
  trim: string;
  pending: boolean;
  report?: SourceReport;
};

/** The wiring of one source: chips for its categories, and the rows of the chosen one. */
export function WiringSlide({ groups, all, mirrored, trim, pending, report }: WiringSlideProps) {
  const { t } = useLingui();
  const [chosen, setChosen] = useState<string>();
  const shown = groups.flatMap((one) => ofTrim(one, trim) ?? []);
  const group = shown.find(({ id }) => id === chosen) ?? shown[0];
  const isEmpty = shown.every(({ wires, isLacking }) => wires.length === 0 && !isLacking);
  if (pending && !group?.wires.length) return <Skeleton height={220} radius="lg" />;
  return (
    <>
      {report ? <SourceNote report={report} /> : null}
      <ul className={classes.chips} aria-label={t`Categories`}>
        {shown.map(({ id, title, wires, isLacking }) => (
          <li key={id}>
            <button type="button" aria-pressed={id === group?.id} onClick={() => setChosen(id)}>
              {title || t`All trims`} <small>{isLacking ? "–" : wires.length}</small>
            </button>
          </li>
        ))}
      </ul>
      {group ? (
        <WireTable
          label={t`Wiring: ${group.title || t`All trims`}`}
          wires={group.wires}
          all={all}
          mirrored={mirrored}
        />
      ) : null}
      {isEmpty && report?.state !== "away" ? (
        <p role="status">
          {groups.some(({ wires }) => wires.length > 0) ? (
            <Trans>This source has no wiring for the trim {trim}.</Trans>
          ) : (
            <Trans>This source has no wiring for this vehicle.</Trans>
          )}
        </p>
      ) : null}
    </>
  );
}

/** A group with its rows of the trim, nothing where it has only others; one of ours without rows is still loaded, or lacks them. */
function ofTrim(group: Group, trim: string): Group | undefined {
  if (trim === "") return group;
  const wires = group.wires.filter((wire) => isOfTrim(wire, trim));
  const waits = group.source === "internal" && group.wires.length === 0;
  return wires.length > 0 || waits ? { ...group, wires } : undefined;
}

type FoundRowsProps = {
  wires: readonly Wire[];
  /** All rows of all sources, to tell where they differ. */
  all: readonly Wire[];
  mirrored: Mirrored | undefined;
  find: string;
  reports: readonly SourceReport[];
};

/** Rows of all sources that hold the words, source by source; one that is away or did not answer anew is told all the same. */
export function FoundRows({ wires, all, mirrored, find, reports }: FoundRowsProps) {
  const { t } = useLingui();
  const sources = (Object.keys(SOURCE_NAMES) as Wire["source"][]).map((source) => ({
    source,
    rows: wires.filter((wire) => wire.source === source),
    report: reports.find((one) => one.source === source),
  }));
  return (
    <>
      <p role="status">
        <Plural value={wires.length} one="# wire found" other="# wires found" />
      </p>
      {sources.map(({ source, rows, report }) =>
        rows.length === 0 ? (
          report && report.state !== "fresh" ? (
            <SourceNote key={source} report={report} />
          ) : null
        ) : (
          <section key={source}>
            <h2>{SOURCE_NAMES[source]}</h2>
            {source === "internal" ? <MirrorsNote mirrored={mirrored} /> : null}
            {report ? <SourceNote report={report} /> : null}
            <WireTable
              label={t`${SOURCE_NAMES[source]}: ${find}`}
              wires={rows}
              all={all}
              mirrored={mirrored}
              mixed
            />
          </section>
        ),
      )}
    </>
  );
}
