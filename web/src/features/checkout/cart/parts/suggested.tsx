import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { suggestionsQuery } from "~/shared/catalogue/suggestions";
import classes from "./pad.module.css";

const MOST = 3;

type SuggestedProps = { typed: string; onChoose: (sku: string) => void };

/** Products for what is no SKU but perhaps a name; one press puts the SKU in its place. */
export function Suggested({ typed, onChoose }: SuggestedProps) {
  const { t } = useLingui();
  const found = useQuery(suggestionsQuery(typed)).data?.results ?? [];
  if (found.length === 0) return null;
  return (
    <ul className={classes.suggested} aria-label={t`Perhaps one of these`}>
      {found.slice(0, MOST).map(({ id, sku, name }) => (
        <li key={id}>
          <button type="button" className={classes.offer} onClick={() => onChoose(sku)}>
            <Trans>
              {sku} · {name}
            </Trans>
          </button>
        </li>
      ))}
    </ul>
  );
}
