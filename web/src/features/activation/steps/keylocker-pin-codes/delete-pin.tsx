import { useLingui } from "@lingui/react/macro";
import { useFields } from "~/shared/forms/fields";
import { Ask } from "../../dialogs/ask";
import { useAskingOf } from "../../dialogs/use-asking";
import { usePinRules } from "../../schema";
import type { Run } from "../../session-hook";
import { PinField } from "./pin-field";

export function DeletePinDialog({ run, onClose }: { run: Run; onClose: () => void }) {
  const { t } = useLingui();
  const form = useFields({ pin: usePinRules() }, { leavable: true });
  const asking = useAskingOf(form, run, "DELETE_PIN", onClose);
  return (
    <Ask
      title={t`Delete the secondary pin?`}
      confirm={t`Delete`}
      onConfirm={form.submit(({ pin }) => {
        asking.ask({ type: "DELETE_PIN", master_pin: pin });
      })}
      asking={asking}
    >
      <p>{t`Whoever has the secondary pin cannot open the KeyLocker any more. The master pin shows that you may do this.`}</p>
      <PinField label={t`Master pin`} {...form.field("pin")} />
    </Ask>
  );
}
