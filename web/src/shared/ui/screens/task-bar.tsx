import { Trans } from "@lingui/react/macro";
import { createContext, type ReactNode, useContext } from "react";
import { createPortal } from "react-dom";
import classes from "./task-bar.module.css";

/** Where the bar of a task takes what its page has to say: undefined outside such a bar, null until it is drawn. */
const Slot = createContext<HTMLElement | null | undefined>(undefined);

export const TaskBarSlot = Slot.Provider;

/** What a page puts into the bar of its task: what it is about, how far it is, its menu. */
export function InTaskBar({ children }: { children: ReactNode }) {
  const slot = useContext(Slot);
  return slot ? createPortal(children, slot) : null;
}

export type TaskAt = {
  /** What the task is about, a `code` or a `b`, and a second word of it. */
  what: ReactNode;
  more?: ReactNode;
  /** From one. */
  place: number;
  total: number;
};

type TaskAboutProps = TaskAt & {
  /** How much is behind, where another place is looked at. */
  done?: number;
  children?: ReactNode;
};

/** What a task is about, and step n of m. */
export function TaskAbout({ what, more, place, total, done = place, children }: TaskAboutProps) {
  return (
    <>
      <span className={classes.what}>
        {what}
        {more ? <span>{more}</span> : null}
      </span>
      <span className={classes.place}>
        <progress value={done} max={total} aria-hidden="true" />
        <span>
          <Trans>
            Step {place} of {total}
          </Trans>
        </span>
        {children}
      </span>
    </>
  );
}

/** The same in the bar, where nothing is behind it to press. */
export function TaskPlace(at: TaskAt) {
  return (
    <InTaskBar>
      <div className={classes.about}>
        <TaskAbout {...at} />
      </div>
    </InTaskBar>
  );
}
