import { Trans, useLingui } from "@lingui/react/macro";
import { Dialog } from "~/shared/ui/dialogs/dialog";
import { SOURCE_NAMES } from "~/shared/vehicles/wiring/source-note";
import { Stroke } from "~/shared/vehicles/wiring/stroke";
import { byFunction, COMPARED, differing, valuesOf } from "../columns";
import type { Wire } from "../types";
import classes from "../wiring.module.css";
import { type Mirrored, MirrorsNote } from "./mirrors-note";

type SideBySideProps = {
  wires: readonly Wire[];
  name: string;
  mirrored: Mirrored | undefined;
  onClose: () => void;
};

/** One function as each source tells it, beside each other, with what they do not agree on marked. */
export function SideBySide({ wires, name, mirrored, onClose }: SideBySideProps) {
  const { i18n } = useLingui();
  const told = byFunction(wires).get(name) ?? new Map<Wire["source"], Wire[]>();
  const differ = differing(told);
  return (
    <Dialog title={<Trans>Sources: {name}</Trans>} onClose={onClose} size="lg">
      {told.has("internal") ? <MirrorsNote mirrored={mirrored} /> : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reached by the keyboard */}
      <section className={classes.wide} tabIndex={0} aria-label={name}>
        <table className={classes.wires}>
          <thead>
            <tr>
              <td />
              {[...told.keys()].map((source) => (
                <th key={source} scope="col">
                  {SOURCE_NAMES[source]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {COMPARED.map(({ key, title }) => (
              <tr key={key}>
                <th scope="row">
                  {i18n._(title)}
                  {differ.has(key) ? (
                    <small className={classes.differs}>
                      <Trans>Sources differ</Trans>
                    </small>
                  ) : null}
                </th>
                {[...told].map(([source, rows]) => (
                  <td key={source}>
                    {valuesOf(rows, key).map(({ text, of }) => (
                      <div key={text}>
                        {key === "color" ? <Stroke color={text} /> : null}
                        {text || "–"}
                        {of ? <small> {of}</small> : null}
                      </div>
                    ))}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Dialog>
  );
}
