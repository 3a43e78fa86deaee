import { useLingui } from "@lingui/react/macro";
import { dollars } from "~/shared/catalogue/money";
import type { ProductSummary } from "~/shared/catalogue/types";
import classes from "./suggestions.module.css";

export const SUGGESTIONS_ID = "product-suggestions";

export const suggestionId = (productId: string) => `suggestion-${productId}`;

type SuggestionsProps = {
  products: readonly ProductSummary[];
  active: string | undefined;
  onChoose: (id: string) => void;
};

/** The nearest products while a term is typed. The box keeps the focus; arrow keys and Enter choose. */
export function Suggestions({ products, active, onChoose }: SuggestionsProps) {
  const { t, i18n } = useLingui();
  if (products.length === 0) return null;
  return (
    <div id={SUGGESTIONS_ID} role="listbox" aria-label={t`Suggestions`} className={classes.popup}>
      {products.map(({ id, sku, name, pricing }) => {
        const amount = pricing.priceRange?.start.net.amount;
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the box has the keys of its list
          <div
            key={id}
            id={suggestionId(id)}
            role="option"
            tabIndex={-1}
            aria-selected={id === active}
            className={classes.entry}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(id)}
          >
            <span className={classes.sku}>{sku}</span>
            <span className={classes.name}>{name}</span>
            <span className={classes.price}>
              {amount === undefined ? "" : dollars(i18n, amount)}
            </span>
          </div>
        );
      })}
    </div>
  );
}
