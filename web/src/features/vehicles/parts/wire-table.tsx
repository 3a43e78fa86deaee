import { Trans, useLingui } from "@lingui/react/macro";
import { type ReactNode, useMemo, useState } from "react";
import { tell } from "~/shared/alerts/alerts";
import { copied } from "~/shared/files/copied";
import { zoom } from "~/shared/media/viewer";
import { Stroke } from "~/shared/vehicles/wiring/stroke";
import { byFunction, COLUMNS, disagreements, MIXED_COLUMNS, TOLD_APART_BY } from "../columns";
import type { Wire } from "../types";
import classes from "../wiring.module.css";
import type { Mirrored } from "./mirrors-note";
import { SideBySide } from "./side-by-side";

type WireTableProps = {
  label: string;
  wires: readonly Wire[];
  /** All rows of all sources: what more than one tells can be held beside the others, and where they differ it is marked. */
  all?: readonly Wire[];
  /** Whose wiring our reference shows, if it is not the vehicle's own. */
  mirrored?: Mirrored | undefined;
  /** Rows of any category stand together: nothing above them says which. */
  mixed?: boolean;
  /** On paper there is nothing to press. */
  paper?: boolean;
};

/** Rows of one source in its own columns. Colours are painted beside their words. */
export function WireTable({
  label,
  wires,
  all = [],
  mirrored,
  mixed = false,
  paper = false,
}: WireTableProps) {
  const { t, i18n } = useLingui();
  const [compared, setCompared] = useState<string>();
  const differ = useMemo(() => disagreements(all), [all]);
  const told = useMemo(() => byFunction(all), [all]);
  const [first] = wires;
  if (!first) return null;
  const columns = (mixed ? MIXED_COLUMNS : COLUMNS)[first.source];
  const pictured = !paper && wires.some(({ images }) => images.length > 0);
  const trimmed = wires.some(({ trim }) => trim !== "");

  async function copy(wire: Wire) {
    const keys = new Set([...columns.map(({ key }) => key), ...TOLD_APART_BY]);
    const cells = [...keys].map((key) => String(wire[key])).filter(Boolean);
    if (await copied(cells.join("\t"))) tell({ content: t`Copied`, type: "success" });
    else tell({ content: t`The browser does not allow to copy.` });
  }

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reached by the keyboard
    <section className={classes.wide} tabIndex={0} aria-label={label}>
      <table className={classes.wires}>
        <thead>
          <tr>
            {columns.map(({ key, title }) => (
              <th key={key} scope="col">
                {i18n._(title)}
              </th>
            ))}
            {trimmed ? (
              <th scope="col">
                <Trans>Trim</Trans>
              </th>
            ) : null}
            {pictured ? (
              <th scope="col">
                <Trans>Images</Trans>
              </th>
            ) : null}
            {paper ? null : (
              <th scope="col">
                <Trans>Copy</Trans>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {wires.map((wire, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a source have no ids and are never reordered
            <tr key={place}>
              {columns.map(({ key }) => (
                <Cell key={key} heads={key === "function"}>
                  {key === "color" ? <Stroke color={wire.color} /> : null}
                  {wire[key]}
                  {key === "function" && differ.has(wire.function) ? (
                    <button
                      type="button"
                      className={classes.differs}
                      aria-haspopup="dialog"
                      onClick={() => setCompared(wire.function)}
                    >
                      <Trans>Sources differ</Trans>
                    </button>
                  ) : null}
                </Cell>
              ))}
              {trimmed ? <td>{wire.trim}</td> : null}
              {pictured ? (
                <td>
                  {wire.images.map((url) => (
                    <button
                      key={url}
                      type="button"
                      className={classes.small}
                      aria-label={t`Show the picture of ${wire.function}`}
                      onClick={({ currentTarget }) =>
                        zoom({ url, alt: wire.function }, currentTarget)
                      }
                    >
                      <img src={url} alt="" width={48} height={36} loading="lazy" />
                    </button>
                  ))}
                </td>
              ) : null}
              {paper ? null : (
                <td>
                  <button
                    type="button"
                    className={classes.small}
                    aria-label={t`Copy ${wire.function}`}
                    onClick={() => void copy(wire)}
                  >
                    <Trans>Copy</Trans>
                  </button>{" "}
                  {(told.get(wire.function)?.size ?? 0) > 1 ? (
                    <button
                      type="button"
                      className={classes.small}
                      aria-haspopup="dialog"
                      aria-label={t`Compare the sources: ${wire.function}`}
                      onClick={() => setCompared(wire.function)}
                    >
                      <Trans>Compare</Trans>
                    </button>
                  ) : null}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {compared ? (
        <SideBySide
          wires={all}
          name={compared}
          mirrored={mirrored}
          onClose={() => setCompared(undefined)}
        />
      ) : null}
    </section>
  );
}

function Cell({ heads, children }: { heads: boolean; children: ReactNode }) {
  return heads ? <th scope="row">{children}</th> : <td>{children}</td>;
}
