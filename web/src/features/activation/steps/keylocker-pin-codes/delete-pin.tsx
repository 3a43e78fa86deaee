import { useLingui } from "@lingui/react/macro";
import { useState } from "react";
import { Ask } from "../../dialogs/ask";
import { pinFault } from "../../schema";
import type { Run } from "../../session-hook";
import { PinField } from "./pin-field";

export function DeletePinDialog({ run, onClose }: { run: Run; onClose: () => void }) {
  const { t } = useLingui();
  const [pin, setPin] = useState("");
  const [asked, setAsked] = useState(false);
  return (
    <Ask
      title={t`Delete the secondary pin?`}
      confirm={t`Delete`}
      onConfirm={() => {
        setAsked(true);
        if (pinFault(pin)) return;
        run.ask({ type: "DELETE_PIN", master_pin: pin });
        onClose();
      }}
      onClose={onClose}
    >
      <p>{t`Whoever has the secondary pin can not open the KeyLocker any more. The master pin shows that you may do this.`}</p>
      <PinField
        label={t`Master pin`}
        value={pin}
        onChange={setPin}
        fault={asked ? pinFault(pin) : undefined}
      />
    </Ask>
  );
}
