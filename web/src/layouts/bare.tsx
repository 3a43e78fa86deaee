import { type ReactNode, useLayoutEffect } from "react";
import { asPaper } from "~/shared/ui/fields/appearance";
import classes from "./layout.module.css";

/** The page alone: no navigation, no live stream, no messages (blank). */
export function BlankLayout({ children }: { children: ReactNode }) {
  return (
    <main id="main" className={classes.main} tabIndex={-1}>
      {children}
    </main>
  );
}

/** A page made for paper: black on white, its full width (print). */
export function PrintLayout({ children }: { children: ReactNode }) {
  useLayoutEffect(asPaper, []);
  return (
    <main id="main" className={classes.paper} tabIndex={-1}>
      {children}
    </main>
  );
}
