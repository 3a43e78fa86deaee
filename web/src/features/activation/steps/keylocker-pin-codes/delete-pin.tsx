import { useLingui } from "@lingui/react/macro";
import { useFields } from "~/shared/forms/fields";
import { Ask } from "../../dialogs/ask";
import { usePinRules } from "../../schema";
import type { Run } from "../../session-hook";
import { PinField } from "./pin-field";

export function DeletePinDialog({ run, onClose }: { run: Run; onClose: () => void }) {
  const { t } = useLingui();
  const form = useFields({ pin: usePinRules() }, { leavable: true });
  return (
    <Ask
      title={t`Delete the secondary pin?`}
      confirm={t`Delete`}
      onConfirm={form.submit(({ pin }) => {
        run.ask({ type: "DELETE_PIN", master_pin: pin });
        onClose();
      })}
      asking={{ close: onClose }}
    >
      <p>{t`Whoever has the secondary pin cannot open the KeyLocker any more. The master pin shows that you may do this.`}</p>
      <PinField label={t`Master pin`} {...form.field("pin")} />
    </Ask>
  );
}
