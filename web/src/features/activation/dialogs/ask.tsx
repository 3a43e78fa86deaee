import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import { Dialog } from "~/shared/ui/dialog";
import classes from "./ask.module.css";

type AskProps = {
  title: ReactNode;
  children: ReactNode;
  confirm: string;
  onConfirm: (event: FormEvent<HTMLFormElement>) => void;
  onClose: () => void;
  disabled?: boolean;
};

/** A question over the page. Escape, the cross and Cancel all mean no. */
export function Ask({ title, children, confirm, onConfirm, onClose, disabled }: AskProps) {
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
          <Button size="md" type="submit" disabled={disabled}>
            {confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
