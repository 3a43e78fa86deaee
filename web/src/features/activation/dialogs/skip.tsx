import { useLingui } from "@lingui/react/macro";
import { TextInput } from "@mantine/core";
import { useState } from "react";
import type { Run } from "../session-hook";
import { Ask } from "./ask";

export function SkipDialog({ run, onClose }: { run: Run; onClose: () => void }) {
  const { t } = useLingui();
  const [reason, setReason] = useState("");
  const [asked, setAsked] = useState(false);
  const empty = reason.trim() === "";
  return (
    <Ask
      title={t`Skip this step?`}
      confirm={t`Skip`}
      onConfirm={() => {
        setAsked(true);
        if (empty) return;
        run.ask({ type: "SKIP", reason: reason.trim() });
        onClose();
      }}
      onClose={onClose}
    >
      <p>{t`The reason is kept with the activation, for colleagues and for support.`}</p>
      <TextInput
        size="md"
        label={t`Reason`}
        maxLength={200}
        value={reason}
        error={asked && empty ? t`Required field` : undefined}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Ask>
  );
}
