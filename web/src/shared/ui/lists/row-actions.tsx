import type { ReactNode } from "react";
import classes from "./row-actions.module.css";

/** What can be done about a row of a table, side by side: in one line where the page is wide. */
export function RowActions({ children }: { children: ReactNode }) {
  return <div className={classes.actions}>{children}</div>;
}
