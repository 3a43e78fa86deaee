import { Trans, useLingui } from "@lingui/react/macro";
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from "react";
import classes from "./hold-button.module.css";

export const HOLD_MS = 900;
const ARMED_MS = 5000;
const HINT_MS = 2500;

type HoldButtonProps = {
  label: string;
  onConfirm: () => void;
  disabled?: boolean;
  children: ReactNode;
};

/**
 * A button for what moves a car: held down with finger, mouse, Enter or Space until it fills.
 * A press that was too short says so. Assistive tools that can only press get a second press within five seconds instead.
 */
export function HoldButton({ label, onConfirm, disabled = false, children }: HoldButtonProps) {
  const { t } = useLingui();
  const [held, setHeld] = useState(false);
  const [armed, setArmed] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [short, setShort] = useState(false);
  const byHand = useRef(false);
  useEffect(() => () => clearTimeout(timer.current), []);

  function press() {
    if (disabled || held) return;
    byHand.current = true;
    setHeld(true);
    setShort(false);
    timer.current = setTimeout(() => {
      setHeld(false);
      onConfirm();
    }, HOLD_MS);
  }

  function release() {
    if (!held) return;
    setHeld(false);
    setShort(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setShort(false), HINT_MS);
  }

  function key(event: KeyboardEvent) {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    if (!event.repeat) press();
  }

  function click(event: MouseEvent) {
    const pressed = byHand.current;
    byHand.current = false;
    if (disabled || pressed || event.detail !== 0) return;
    if (armed) {
      clearTimeout(timer.current);
      setArmed(false);
      onConfirm();
      return;
    }
    setArmed(true);
    timer.current = setTimeout(() => setArmed(false), ARMED_MS);
  }

  return (
    <button
      type="button"
      className={classes.hold}
      aria-label={armed ? t`Press again to confirm: ${label}` : t`${label} (hold to confirm)`}
      aria-disabled={disabled}
      data-held={held}
      data-armed={armed}
      onPointerDown={(event) => event.button === 0 && press()}
      onPointerUp={release}
      onPointerLeave={release}
      onPointerCancel={release}
      onKeyDown={key}
      onKeyUp={release}
      onBlur={release}
      onClick={click}
      onContextMenu={(event) => event.preventDefault()}
    >
      {short ? <Trans>Keep holding</Trans> : children}
    </button>
  );
}
