import { createContext, type ReactNode, useContext } from "react";
import { createPortal } from "react-dom";

/** Where the bar of a task takes what its page has to say: undefined outside such a bar, null until it is drawn. */
const Slot = createContext<HTMLElement | null | undefined>(undefined);

export const TaskBarSlot = Slot.Provider;

/** What a page puts into the bar of its task: what it is about, how far it is, its menu. */
export function InTaskBar({ children }: { children: ReactNode }) {
  const slot = useContext(Slot);
  return slot ? createPortal(children, slot) : null;
}
