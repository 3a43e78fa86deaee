import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { useNow } from "~/shared/time/age";
import classes from "./method-choice.module.css";
import { OtherWay } from "./other-way";

/** How long a charge may take before another way to pay is offered. */
const PATIENCE_MS = 5000;

type UnansweredProps = {
  run: { state: string; answer: { view: { notes_at: Readonly<Record<string, string>> } } };
  className?: string;
  /** What is offered beside it, and gives way with it. */
  beside?: ReactNode;
  /** Another way to pay for the same. */
  children: ReactNode;
};

/** A charge of which nobody tells what becomes: nobody has to wait for it. */
export function Unanswered({ run, className, beside, children }: UnansweredProps) {
  const now = useNow();
  const since = run.answer.view.notes_at[run.state];
  if (!since || now - Date.parse(since) < PATIENCE_MS) return null;
  return (
    <OtherWay
      className={className}
      said={
        <p className={classes.soft}>
          <Trans>
            The payment provider does not answer. You can pay in another way, or cancel; you are not
            charged twice.
          </Trans>
        </p>
      }
      beside={beside}
    >
      {children}
    </OtherWay>
  );
}
