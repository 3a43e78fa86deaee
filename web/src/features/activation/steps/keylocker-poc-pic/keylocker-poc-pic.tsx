import { Trans } from "@lingui/react/macro";
import { TablesStep } from "../../option-tables/tables-step";
import type { Run } from "../../session-hook";

export function KeylockerPocPic({ run }: { run: Run }) {
  return (
    <TablesStep run={run} table="poc-pic">
      <p>
        <Trans>
          What the programmable outputs (POC) and inputs (PIC) of the KeyLocker do. Only changes are
          written.
        </Trans>
      </p>
    </TablesStep>
  );
}
