import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "../checkout.module.css";

type FoldedProps = {
  title: string;
  /** What was decided, in one line; nothing while something is still to be chosen. */
  decided: ReactNode;
  children: ReactNode;
};

/**
 * A part of the checkout: one line if it is decided from the start, with the way back to the choice. What is open stays
 * open: the focus is in it.
 */
export function Folded({ title, decided, children }: FoldedProps) {
  const { t } = useLingui();
  const [open, setOpen] = useState(!decided);
  if (!decided && !open) setOpen(true);
  const part = useRef<HTMLElement>(null);

  function unfold() {
    flushSync(() => setOpen(true));
    const first = part.current?.querySelector<HTMLElement>("input:checked, input, button");
    first?.focus();
  }

  if (!open)
    return (
      <Panel className={classes.folded}>
        <h2>{title}</h2>
        <p>{decided}</p>
        <Button variant="subtle" size="md" aria-label={t`Change: ${title}`} onClick={unfold}>
          <Trans>Change</Trans>
        </Button>
      </Panel>
    );
  return (
    <Panel ref={part} className={classes.part}>
      <h2>{title}</h2>
      {children}
    </Panel>
  );
}
