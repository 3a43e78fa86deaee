import { Trans } from "@lingui/react/macro";
import { TablesStep } from "../../option-tables/tables-step";
import { KeylockerPanel } from "../../parts/keylocker-panel";
import type { Run } from "../../session-hook";

export function KeylockerOptionTables({ run }: { run: Run }) {
  return (
    <TablesStep run={run} table="keylocker">
      <p>
        <Trans>
          These are the options of the KeyLocker in its present mode. Only changes are written.
        </Trans>
      </p>
      <KeylockerPanel view={run.answer.view} />
    </TablesStep>
  );
}
