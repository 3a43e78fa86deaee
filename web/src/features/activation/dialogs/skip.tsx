import { useLingui } from "@lingui/react/macro";
import { TextInput } from "@mantine/core";
import { useFields } from "~/shared/forms/fields";
import type { Run } from "../session-hook";
import { Ask } from "./ask";

export function SkipDialog({ run, onClose }: { run: Run; onClose: () => void }) {
  const { t } = useLingui();
  const form = useFields({ reason: { rules: ["required"] } });
  return (
    <Ask
      title={t`Skip this step?`}
      confirm={t`Skip`}
      onConfirm={form.submit(({ reason }) => {
        run.ask({ type: "SKIP", reason: reason.trim() });
        onClose();
      })}
      onClose={onClose}
    >
      <p>{t`The reason is kept with the activation, for colleagues and for support.`}</p>
      <TextInput size="md" label={t`Reason`} maxLength={200} {...form.field("reason")} />
    </Ask>
  );
}
