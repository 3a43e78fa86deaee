import { Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { Choice } from "~/shared/ui/fields/choice";
import classes from "./option-table.module.css";
import { faultOf, type OptionRow, type OptionSuggestion } from "./option-tables";
import { OptionValue } from "./option-value";

type OptionFieldProps = {
  section: string;
  row: OptionRow;
  text: string;
  /** The device's own value. */
  value: number | undefined;
  changed: boolean;
  suggestion?: OptionSuggestion;
  error: string | undefined;
  disabled: boolean;
  onType: (text: string) => void;
  onUndo: () => void;
};

export function OptionField(props: OptionFieldProps) {
  const { section, row, text, value, changed, suggestion, error, disabled, onType, onUndo } = props;
  const { t } = useLingui();
  return (
    <li className={classes.row} data-changed={changed}>
      <div className={classes.field}>
        {row.kind === "choice" ? (
          <Choice
            label={row.label}
            value={text}
            disabled={disabled}
            error={error}
            options={choicesOf(row, text)}
            onChange={onType}
          />
        ) : (
          <TextInput
            size="md"
            classNames={{ label: classes.label, input: classes.input }}
            label={row.label}
            inputMode="numeric"
            autoComplete="off"
            disabled={disabled}
            value={text}
            error={error}
            rightSectionWidth={52}
            rightSection={<span className={classes.unit}>{unit()}</span>}
            onChange={(event) => onType(event.currentTarget.value)}
          />
        )}
      </div>
      <p className={classes.hint}>
        {range()}
        <Trans>
          Default: <OptionValue row={row} value={row.default} />
        </Trans>
      </p>
      {suggestion && String(suggestion.value) !== text && fits(row, suggestion) ? (
        <p className={classes.was}>
          <Trans>
            <OptionValue row={row} value={suggestion.value} />: used in {suggestion.used} of{" "}
            {suggestion.finished} in such a vehicle
          </Trans>
          <Button
            size="compact-md"
            variant="subtle"
            disabled={disabled}
            aria-label={t`Use it for ${section}, ${row.label}`}
            onClick={() => onType(String(suggestion.value))}
          >
            <Trans>Use it</Trans>
          </Button>
        </p>
      ) : null}
      {changed ? (
        <p className={classes.was}>
          {value === undefined ? (
            <Trans>Changed</Trans>
          ) : (
            <Trans>
              Changed from <OptionValue row={row} value={value} />
            </Trans>
          )}
          <Button
            size="compact-md"
            variant="subtle"
            disabled={disabled}
            aria-label={t`Undo the change of ${section}, ${row.label}`}
            onClick={onUndo}
          >
            <Trans>Undo</Trans>
          </Button>
        </p>
      ) : null}
    </li>
  );

  function unit(): string | null {
    if (row.kind === "seconds") return t`s`;
    return row.kind === "minutes" ? t`min` : null;
  }

  function range() {
    const { minimum, maximum } = row;
    if (row.kind === "choice" || minimum === null || maximum === null) return null;
    return (
      <>
        <Trans>
          {minimum} to {maximum}
        </Trans>
        {" · "}
      </>
    );
  }
}

/** With the present value, also where it is not among them: a select would show the first in its place. */
function choicesOf(row: OptionRow, text: string) {
  const choices = row.choices.map(({ value, label }) => ({ value: String(value), label }));
  const isListed = text === "" || choices.some(({ value }) => value === text);
  return isListed ? choices : [{ value: text, label: text }, ...choices];
}

/** Of the same product with another controller, which may take other values. */
function fits(row: OptionRow, { value }: OptionSuggestion): boolean {
  return faultOf(row, String(value)) === undefined;
}
