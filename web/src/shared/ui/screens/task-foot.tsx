import type { ReactNode } from "react";
import classes from "./task-foot.module.css";

/** The next action of a task, with what may be done beside it: on a phone at the foot of the screen, at the thumb. */
export function TaskFoot({ children }: { children: ReactNode }) {
  return <div className={classes.foot}>{children}</div>;
}

/** Of the page whose foot it is: as tall as the screen below the bar, so that the foot stands at its end. */
export const withFoot = classes.page;

export const mainAction = { className: classes.main, classNames: { label: classes.label } };
