import { useId } from "react";
import classes from "./choice.module.css";

type ChoiceProps<V extends string> = {
  label: string;
  name?: string;
  value: V;
  options: readonly { value: V; label: string }[];
  onChange: (value: V) => void;
  disabled?: boolean;
  error?: string;
  placeholder?: string;
  autoComplete?: string;
};

/** The platform's own select: the quickest list on a phone, and readable by everything. */
export function Choice<V extends string>(props: ChoiceProps<V>) {
  const { label, name, value, options, onChange, disabled, error, placeholder, autoComplete } =
    props;
  const id = useId();
  return (
    // As tall as the other fields, by the same rule.
    <div className={`${classes.field} mantine-Input-wrapper`}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        name={name}
        autoComplete={autoComplete}
        value={value}
        disabled={disabled}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        // only values from the list can come back
        onChange={(event) => onChange(event.currentTarget.value as V)}
      >
        {placeholder === undefined ? null : <option value="">{placeholder}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {error ? (
        <p id={`${id}-error`} className={classes.error}>
          {error}
        </p>
      ) : null}
    </div>
  );
}
