import type { ReactNode } from "react";
import classes from "./in-reach.module.css";

type InReachProps = {
  /** What it comes to, beside a button whose words do not tell. */
  total?: ReactNode;
  /** Why it cannot be pressed, or what it does by now. */
  hint?: ReactNode;
  /** The button that pays. */
  children: ReactNode;
};

/** The button of a purchase with its sum, in reach however long the page is: on a phone at the foot of the screen. */
export function InReach({ total, hint, children }: InReachProps) {
  return (
    <div className={classes.reach}>
      {total === undefined ? null : (
        <p className={classes.sum} aria-hidden="true">
          {total}
        </p>
      )}
      <div className={classes.press}>{children}</div>
      {hint === undefined ? null : (
        <p className={classes.hint} role="status">
          {hint}
        </p>
      )}
    </div>
  );
}
