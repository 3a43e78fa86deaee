import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { DangerButton } from "../buttons/danger-button";
import classes from "./confirm.module.css";
import { Dialog } from "./dialog";

type ConfirmProps = {
  title: string;
  children: ReactNode;
  confirm: string;
  busy: boolean;
  onConfirm: () => void;
  onClose: () => void;
};

/** A question before something is gone. Escape, the cross and Cancel all mean no. */
export function Confirm({ title, children, confirm, busy, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog onClose={onClose} title={title}>
      <div className={classes.asked}>
        <p>{children}</p>
        <div className={classes.end}>
          <Button size="md" variant="default" data-autofocus onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <DangerButton loading={busy} onClick={onConfirm}>
            {confirm}
          </DangerButton>
        </div>
      </div>
    </Dialog>
  );
}
