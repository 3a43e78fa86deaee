import { Plural, useLingui } from "@lingui/react/macro";
import { DataTable } from "~/shared/ui/lists/data-table";
import { Ask } from "../dialogs/ask";
import type { Change } from "./option-tables";
import { OptionValue } from "./option-value";

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
      asking={{ close: onClose }}
    >
      <DataTable
        label={t`Changes`}
        rows={changes}
        keyOf={({ row }) => row.key}
        columns={[
          { head: t`Option`, names: true, cell: ({ section, row }) => `${section}, ${row.label}` },
          { head: t`Now`, cell: ({ row, from }) => <OptionValue row={row} value={from} /> },
          { head: t`New`, cell: ({ row, to }) => <OptionValue row={row} value={to} /> },
        ]}
      />
    </Ask>
  );
}
