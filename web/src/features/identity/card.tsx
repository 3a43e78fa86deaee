import type { ReactNode } from "react";
import { Heading } from "~/shared/ui/screens/heading";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "./login.module.css";

type CardProps = {
  title: ReactNode;
  lead?: ReactNode;
  children?: ReactNode;
  below?: ReactNode;
  focusKey?: string;
};

/** One narrow card with a heading, a sentence and a form: every page before a sign-in. */
export function Card({ title, lead, children, below, focusKey }: CardProps) {
  return (
    <div className={classes.page}>
      <Panel className={classes.panel}>
        <Heading focusKey={focusKey}>{title}</Heading>
        {lead ? <p className={classes.lead}>{lead}</p> : null}
        {children}
      </Panel>
      {below ? <p className={classes.guest}>{below}</p> : null}
    </div>
  );
}
