import { useLingui } from "@lingui/react/macro";
import type { Run } from "../session-hook";
import { Ask } from "./ask";
import { useAsking } from "./use-asking";

export function ResetDialog({ run, onClose }: { run: Run; onClose: () => void }) {
  const { t } = useLingui();
  const asking = useAsking(run, "RESET", onClose);
  return (
    <Ask
      ends
      title={t`Start over?`}
      confirm={t`Start over`}
      onConfirm={() => asking.ask({ type: "RESET" })}
      asking={asking}
    >
      <p>{t`The activation goes back to its first step, and what its steps have found is cleared. The device itself is not changed.`}</p>
    </Ask>
  );
}
