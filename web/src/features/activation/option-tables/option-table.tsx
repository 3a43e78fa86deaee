import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Button, Checkbox, TextInput } from "@mantine/core";
import { useState } from "react";
import type { FieldFault } from "~/shared/api/errors";
import { faultWords } from "~/shared/forms/fault-words";
import { OptionField } from "./option-field";
import classes from "./option-table.module.css";
import {
  faultOf,
  filtered,
  isChanged,
  type OptionRow,
  type OptionSuggestion,
  type OptionTables,
  placesOf,
  textOf,
} from "./option-tables";
import type { TypedOptions } from "./typed-options";

type OptionTableProps = {
  tables: OptionTables;
  /** What others wrote in the same vehicle. */
  suggestions?: readonly OptionSuggestion[];
  options: TypedOptions;
  advanced: boolean;
  disabled: boolean;
  /** What the device network found wrong, by row. */
  refused: readonly FieldFault[];
};

/** The rows of a table under their sections, with a search and what was changed. */
export function OptionTable(props: OptionTableProps) {
  const { tables, suggestions = [], options, advanced, disabled, refused } = props;
  const { i18n, t } = useLingui();
  const [words, setWords] = useState("");
  const [onlyChanged, setOnlyChanged] = useState(false);
  const { typed, told, touched } = options;
  const sections = filtered(tables, typed, { words, onlyChanged, advanced });
  const rows = placesOf(tables).map(({ row }) => row);
  const changed = rows.filter((row) => isChanged(tables, typed, row)).length;
  const kept = advanced ? 0 : rows.filter((row) => row.advanced).length;

  function errorOf(row: OptionRow): string | undefined {
    const text = typed[row.key];
    if (text === undefined) return undefined;
    const own = told.has(row.key) ? faultOf(row, text) : undefined;
    const theirs = touched.has(row.key)
      ? undefined
      : refused.find(({ field }) => field === row.key)?.message;
    const fault = own ?? theirs;
    return fault && faultWords(fault, i18n);
  }

  return (
    <div className={classes.table}>
      <div className={classes.tools}>
        <TextInput
          size="md"
          type="search"
          label={t`Find an option`}
          autoComplete="off"
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
        <Checkbox
          size="md"
          label={t`Only what was changed`}
          checked={onlyChanged}
          onChange={(event) => setOnlyChanged(event.currentTarget.checked)}
        />
        <p role="status" className={classes.count}>
          <Plural value={changed} _0="Nothing changed" one="# change" other="# changes" />
          {changed > 0 ? (
            <Button
              size="compact-md"
              variant="subtle"
              disabled={disabled}
              onClick={options.undoAll}
            >
              <Trans>Undo all</Trans>
            </Button>
          ) : null}
        </p>
      </div>
      {sections.length === 0 ? (
        <p className={classes.none}>
          {onlyChanged ? (
            <Trans>Nothing that was changed matches.</Trans>
          ) : (
            <Trans>No option has such a name.</Trans>
          )}
        </p>
      ) : null}
      {sections.map((section) => (
        <section key={section.title} aria-label={section.title}>
          <h2>{section.title}</h2>
          <ul className={classes.rows}>
            {section.rows.map((row) => (
              <OptionField
                key={row.key}
                section={section.title}
                row={row}
                text={textOf(tables, typed, row)}
                value={tables.values[row.key]}
                changed={isChanged(tables, typed, row)}
                suggestion={suggestions.find(({ key }) => key === row.key)}
                error={errorOf(row)}
                disabled={disabled}
                onType={(text) => options.type(row.key, text)}
                onUndo={() => options.undo(row.key)}
              />
            ))}
          </ul>
        </section>
      ))}
      {kept > 0 ? (
        <p className={classes.none}>
          <Plural
            value={kept}
            one="# more option stands in the advanced flow."
            other="# more options stand in the advanced flow."
          />
        </p>
      ) : null}
    </div>
  );
}
