import { useLingui } from "@lingui/react/macro";
import type { OptionRow } from "./option-tables";

/** A value of a row as a person reads it: the name of a choice, or the number with its unit. */
export function OptionValue({ row, value }: { row: OptionRow; value: number }) {
  const { t } = useLingui();
  if (row.kind === "choice")
    return row.choices.find((choice) => choice.value === value)?.label ?? value;
  if (row.kind === "seconds") return t`${value} s`;
  if (row.kind === "minutes") return t`${value} min`;
  return value;
}
