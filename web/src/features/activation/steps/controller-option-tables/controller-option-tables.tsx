import { Trans } from "@lingui/react/macro";
import { TablesStep } from "../../option-tables/tables-step";
import type { Run } from "../../session-hook";

export function ControllerOptionTables({ run }: { run: Run }) {
  return (
    <TablesStep run={run} table="controller">
      <p>
        <Trans>
          These are the options of the controller as it holds them now. Change what this vehicle
          needs; only changes are written.
        </Trans>
      </p>
    </TablesStep>
  );
}
