import { Plural, Trans, useLingui } from "@lingui/react/macro";
import type { Change } from "../option-tables";
import classes from "../parts/option-table.module.css";
import { OptionValue } from "../parts/option-value";
import { Ask } from "./ask";

type WriteOptionsProps = {
  changes: readonly Change[];
  onConfirm: () => void;
  onClose: () => void;
};

/** What will be written, before and after, row by row. */
export function WriteOptionsDialog({ changes, onConfirm, onClose }: WriteOptionsProps) {
  const { t } = useLingui();
  return (
    <Ask
      title={
        <Plural
          value={changes.length}
          one="Write # change to the device?"
          other="Write # changes to the device?"
        />
      }
      confirm={t`Write to the device`}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <table className={classes.diff}>
        <thead>
          <tr>
            <th scope="col">
              <Trans>Option</Trans>
            </th>
            <th scope="col">
              <Trans>Now</Trans>
            </th>
            <th scope="col">
              <Trans>New</Trans>
            </th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ section, row, from, to }) => (
            <tr key={row.key}>
              <th scope="row">
                {section}, {row.label}
              </th>
              <td>
                <OptionValue row={row} value={from} />
              </td>
              <td>
                <OptionValue row={row} value={to} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Ask>
  );
}
