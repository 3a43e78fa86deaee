import type { ReactElement, ReactNode } from "react";
import { Panel } from "../screens/panel";
import classes from "./empty-state.module.css";

type EmptyStateProps = {
  title?: ReactNode;
  /** Why there is nothing, in a sentence. */
  children: ReactNode;
  /** The one thing to do next. */
  action: ReactElement;
};

/** Stands where a list would: a drawing, a sentence, a way on. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <Panel className={classes.empty}>
      <Shelf />
      {title ? <h3>{title}</h3> : null}
      <p role="status">{children}</p>
      <div className={classes.ways}>{action}</div>
    </Panel>
  );
}

type EmptyPartProps = {
  /** Why there is nothing, in a sentence. */
  none: ReactNode;
  /** The one thing to do next. It stays the same element, and keeps the focus, while rows come and go. */
  action: ReactElement;
  /** The rows, once there are some. */
  children?: ReactNode;
};

/** The rows of a part of a page above what adds to them; without rows the same as an empty list, small. */
export function EmptyPart({ none, action, children }: EmptyPartProps) {
  return (
    <div className={children ? classes.filled : classes.small}>
      {children ? null : <Shelf small />}
      {children ?? <p role="status">{none}</p>}
      <div className={classes.ways}>{action}</div>
    </div>
  );
}

/** An empty shelf, in the colours of the theme. */
function Shelf({ small = false }: { small?: boolean }) {
  return (
    <svg
      className={classes.drawing}
      width={small ? 48 : 96}
      height={small ? 32 : 64}
      viewBox="0 0 96 64"
      fill="none"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d="M8 6v54M88 6v54M8 30h80M8 54h80" stroke="currentColor" />
      <path d="M22 30V16h18v14M28 16v5h6v-5" strokeDasharray="3 4" stroke="var(--accent)" />
      <path d="M54 54V42h20v12M61 42v4h6v-4" strokeDasharray="3 4" stroke="var(--line-strong)" />
    </svg>
  );
}
