import { Trans, useLingui } from "@lingui/react/macro";
import type { ActivationType, DeviceFound } from "../types";
import { TYPE_WORDS } from "../words";
import classes from "./refused-types.module.css";
import { whyNot } from "./type-refusals";

type RefusedTypesProps = { found: DeviceFound; types: readonly ActivationType[] };

/** What cannot be done with this device now. One reason holds for all: where the device stands. */
export function RefusedTypes({ found, types }: RefusedTypesProps) {
  const { i18n } = useLingui();
  if (types.length === 0) return null;
  return (
    <section className={classes.refused} aria-labelledby="refused-types">
      <h2 id="refused-types">
        <Trans>Not possible now</Trans>
      </h2>
      <p>{i18n._(whyNot(found))}</p>
      <ul>
        {types.map((name) => (
          <li key={name}>{i18n._(TYPE_WORDS[name].name)}</li>
        ))}
      </ul>
    </section>
  );
}
