import { useLingui } from "@lingui/react/macro";
import { TextInput } from "@mantine/core";
import { useFields } from "~/shared/forms/fields";
import type { Run } from "../session-hook";
import { Ask } from "./ask";

export function AbandonDialog({ run, onClose }: { run: Run; onClose: () => void }) {
  const { t } = useLingui();
  const form = useFields({ reason: { rules: [] } });
  return (
    <Ask
      ends
      title={t`Abandon this activation?`}
      confirm={t`Abandon`}
      onConfirm={form.submit(({ reason }) => {
        run.ask({ type: "ABANDON", reason: reason.trim() });
        onClose();
      })}
      onClose={onClose}
    >
      <p>{t`The device is free for others again. A firmware update that runs goes on. Starting again with this device goes on from here.`}</p>
      <TextInput size="md" label={t`Reason (optional)`} maxLength={200} {...form.field("reason")} />
    </Ask>
  );
}
