import { useId } from "react";
import classes from "./choice-cards.module.css";

type Card<V extends string> = { value: V; name: string; what: string };

type ChoiceCardsProps<V extends string> = {
  legend: string;
  name?: string;
  cards: readonly Card<V>[];
  value: V | undefined;
  onChange: (value: V) => void;
  disabled?: boolean;
};

/** One of a few things, each with a line that says what it means. */
export function ChoiceCards<V extends string>(props: ChoiceCardsProps<V>) {
  const { legend, cards, value, onChange, disabled = false } = props;
  const id = useId();
  return (
    <fieldset className={classes.cards} disabled={disabled}>
      <legend>{legend}</legend>
      {cards.map((card) => (
        <label key={card.value} className={classes.card}>
          <input
            type="radio"
            name={props.name ?? id}
            value={card.value}
            checked={value === card.value}
            onChange={() => onChange(card.value)}
          />
          <strong>{card.name}</strong>
          <span>{card.what}</span>
        </label>
      ))}
    </fieldset>
  );
}
