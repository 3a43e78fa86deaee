import { type Ref, useEffect, useImperativeHandle, useState } from "react";
import type { Below } from "./opener";
import "./overlays";

/** For a menu or popover of Mantine's below a button that stands in the page already. */
export function useBelow({ id, open, onOpen }: Below) {
  const [there, setThere] = useState(false);
  // One that comes open does not know where the focus was.
  useEffect(() => setThere(true), []);
  return { id, opened: there && open, onChange: onOpen };
}

type StandingProps = { button: Below["button"]; ref?: Ref<HTMLElement | null> };

/** The button as their target. */
export function Standing({ button, ref }: StandingProps) {
  useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => button.current, [button]);
  return null;
}
