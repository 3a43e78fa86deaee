import type { ReactNode } from "react";
import classes from "../checkout.module.css";

type OptionProps = {
  name: string;
  checked: boolean;
  onChoose: () => void;
  disabled?: boolean;
  children: ReactNode;
};

/** One of several, as large as a finger. */
export function Option({ name, checked, onChoose, disabled, children }: OptionProps) {
  return (
    <label className={classes.option}>
      <input type="radio" name={name} checked={checked} disabled={disabled} onChange={onChoose} />
      <span>{children}</span>
    </label>
  );
}
