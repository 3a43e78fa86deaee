import { type KeyboardEvent, type RefObject, useId, useReducer, useRef, useState } from "react";

/** What opens from a button, as the part that is fetched for it is told. */
export type Below = {
  /** What was pressed for it. */
  button: RefObject<HTMLButtonElement | null>;
  id: string;
  open: boolean;
  onOpen: (open: boolean) => void;
  onClose: () => void;
};

/**
 * A button that something opens from. What that is, is no part of the page: until it is fetched the button stays as it is,
 * with the focus. What stands below is fetched once the button is about to be pressed (`wanted`), what stands `over` the whole
 * page once it is `open`. A second press, Escape and whatever is done elsewhere meanwhile close what has not come yet.
 */
export function useOpener(popup: "dialog" | "menu", over?: boolean) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [wanted, want] = useReducer(() => true, false);
  const [open, onOpen] = useState(false);
  const below: Below = { button, id, open, onOpen, onClose: () => onOpen(false) };
  return {
    wanted,
    below,
    button: {
      ref: button,
      id,
      "aria-haspopup": popup,
      "aria-expanded": open,
      // As Mantine names what opens below.
      "aria-controls": open && !over ? `${id}-dropdown` : undefined,
      onPointerEnter: want,
      onFocus: want,
      onClick: () => {
        want();
        onOpen(!open);
      },
      onKeyDown: ({ key }: KeyboardEvent) => key === "Escape" && onOpen(false),
    },
  };
}
