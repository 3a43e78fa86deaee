import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import { DangerButton } from "~/shared/ui/danger-button";
import { Dialog } from "~/shared/ui/dialog";
import classes from "./ask.module.css";

type AskProps = {
  title: ReactNode;
  children: ReactNode;
  confirm: string;
  onConfirm: (event: FormEvent<HTMLFormElement>) => void;
  onClose: () => void;
  disabled?: boolean;
  /** What is confirmed ends something, or clears it. */
  ends?: boolean;
};

/** A question over the page. Escape, the cross and Cancel all mean no. */
export function Ask({ title, children, confirm, onConfirm, onClose, disabled, ends }: AskProps) {
  const Confirm = ends ? DangerButton : Button;
  function answer(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!disabled) onConfirm(event);
  }

  return (
    <Dialog onClose={onClose} title={title}>
      <form className={classes.ask} onSubmit={answer} noValidate>
        {children}
        <div className={classes.actions}>
          <Button size="md" variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Confirm size="md" type="submit" disabled={disabled}>
            {confirm}
          </Confirm>
        </div>
      </form>
    </Dialog>
  );
}
