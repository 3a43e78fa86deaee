import { useLingui } from "@lingui/react/macro";
import { TextInput } from "@mantine/core";
import { useFields } from "~/shared/forms/fields";
import type { Run } from "../session-hook";
import type { StepName } from "../types";
import { Ask } from "./ask";
import { useAskingOf } from "./use-asking";

type SkipDialogProps = {
  run: Run;
  /** What is skipped, where that is not the present step. */
  step?: StepName;
  onClose: () => void;
};

export function SkipDialog({ run, step, onClose }: SkipDialogProps) {
  const { t } = useLingui();
  const form = useFields({ reason: { rules: ["required"] } });
  const asking = useAskingOf(form, run, "SKIP", onClose);
  return (
    <Ask
      title={step ? t`Go on without it?` : t`Skip this step?`}
      confirm={step ? t`Go on` : t`Skip`}
      onConfirm={form.submit(({ reason }) =>
        asking.ask({ type: "SKIP", reason: reason.trim(), step }),
      )}
      asking={asking}
    >
      <p>{t`The reason is kept with the activation, for colleagues and for support.`}</p>
      <TextInput size="md" label={t`Reason`} maxLength={200} {...form.field("reason")} />
    </Ask>
  );
}
