import { useLingui } from "@lingui/react/macro";
import { TextInput } from "@mantine/core";
import { useFields } from "~/shared/forms/fields";
import type { Run } from "../session-hook";
import { Ask } from "./ask";
import { useAskingOf } from "./use-asking";

export function AbandonDialog({ run, onClose }: { run: Run; onClose: () => void }) {
  const { t } = useLingui();
  const form = useFields({ reason: { rules: [] } });
  const asking = useAskingOf(form, run, "ABANDON", onClose);
  return (
    <Ask
      ends
      title={t`Abandon this activation?`}
      confirm={t`Abandon`}
      onConfirm={form.submit(({ reason }) =>
        asking.ask({ type: "ABANDON", reason: reason.trim() }),
      )}
      asking={asking}
    >
      <p>{t`The device is free for others again. A firmware update that runs goes on. Starting again with this device goes on from here.`}</p>
      <TextInput size="md" label={t`Reason (optional)`} maxLength={200} {...form.field("reason")} />
    </Ask>
  );
}
