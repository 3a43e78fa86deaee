import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import { DangerButton } from "~/shared/ui/buttons/danger-button";
import { Dialog } from "~/shared/ui/dialogs/dialog";
import { handOn } from "~/shared/ui/hand-on";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import classes from "./ask.module.css";
import type { Asking } from "./use-asking";

type AskProps = {
  title: ReactNode;
  children: ReactNode;
  confirm: string;
  onConfirm: (event: FormEvent<HTMLFormElement>) => void;
  /** Of what is asked of the run; what is asked elsewhere only closes it. */
  asking: Pick<Asking, "close"> & Partial<Asking>;
  disabled?: boolean;
  /** What is confirmed ends something, or clears it. */
  ends?: boolean;
};

/** A question over the page. Escape, the cross and Cancel all mean no. Why it did not happen stands above the buttons,
 * with another try, of what is typed by then. */
export function Ask({ title, children, confirm, onConfirm, asking, ends, ...rest }: AskProps) {
  const { busy, held, problem, passing, close } = asking;
  const disabled = rest.disabled || held !== undefined;
  const Confirm = ends ? DangerButton : Button;
  function answer(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!disabled && !busy) onConfirm(event);
  }

  return (
    <Dialog onClose={close} busy={busy} title={title}>
      <form className={classes.ask} onSubmit={answer} noValidate>
        {children}
        <ProblemNote
          problem={problem}
          action={
            passing ? (
              <Button ref={handOn} type="submit" variant="default" disabled={disabled}>
                <Trans>Try again</Trans>
              </Button>
            ) : undefined
          }
        />
        {held && !problem ? (
          <Note tone="wait">
            {held === "under-way" ? (
              <Trans>Something else is under way. Once that is done, this can be confirmed.</Trans>
            ) : (
              <Trans>This cannot be done where the activation stands now.</Trans>
            )}
          </Note>
        ) : null}
        <div className={classes.actions}>
          <Button size="md" variant="default" disabled={busy} onClick={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Confirm size="md" type="submit" disabled={disabled} loading={busy}>
            {confirm}
          </Confirm>
        </div>
      </form>
    </Dialog>
  );
}
