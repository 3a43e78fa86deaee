import { useLingui } from "@lingui/react/macro";
import type { Run } from "../session-hook";
import { Ask } from "./ask";

export function ResetDialog({ run, onClose }: { run: Run; onClose: () => void }) {
  const { t } = useLingui();
  return (
    <Ask
      ends
      title={t`Start over?`}
      confirm={t`Start over`}
      onConfirm={() => {
        run.ask({ type: "RESET" });
        onClose();
      }}
      onClose={onClose}
    >
      <p>{t`The activation goes back to its first step, and what its steps have found is cleared. The device itself is not changed.`}</p>
    </Ask>
  );
}
