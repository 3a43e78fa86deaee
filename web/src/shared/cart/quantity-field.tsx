import { Trans, useLingui } from "@lingui/react/macro";
import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { capped } from "~/shared/forms/validation";
import { MinusIcon, PlusIcon } from "~/shared/ui/pictures/icons";
import classes from "./quantity-field.module.css";

/** Pieces of one article in a cart. */
export const MOST_PIECES = 9999;
const SETTLED_MS = 400;

type QuantityFieldProps = {
  value: number;
  /** What is counted, for the field's name. */
  of: string;
  /**
   * Told once the number has settled; a number that is none falls back to `value`. The number stands until what this
   * answers is over, and then gives way to `value`.
   */
  onChange: (quantity: number) => unknown;
  /** Each press is told at once, not the last one of a row. */
  atOnce?: boolean;
  disabled?: boolean;
  /** The number alone: one more and one less by the arrow keys. */
  plain?: boolean;
};

/** A whole number above zero, with one more and one less beside it. Tab goes from number to number. */
export function QuantityField(props: QuantityFieldProps) {
  const { value: held, of, onChange, atOnce = false, disabled, plain } = props;
  const { t } = useLingui();
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const [asked, setAsked] = useState<{ quantity: number }>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [told, setTold] = useState<"most" | "least">();
  const value = asked?.quantity ?? held;
  const present = typed ?? String(value);
  const count = piecesIn(present);

  // What is left within the pause is not lost.
  const settleLast = useRef(() => {});
  settleLast.current = () => {
    if (typed !== undefined) settle(typed);
  };
  useEffect(() => () => settleLast.current(), []);

  function settle(text: string) {
    clearTimeout(timer.current);
    setTyped(undefined);
    const quantity = piecesIn(text);
    if (quantity === undefined) setTold("least");
    if (quantity !== undefined && quantity !== value) void ask({ quantity });
  }

  async function ask(one: { quantity: number }) {
    setAsked(one);
    await onChange(one.quantity);
    // The new `value` is drawn a task after its answer.
    setTimeout(() => setAsked((now) => (now === one ? undefined : now)));
  }

  function step(by: number) {
    const next = String(Math.min(Math.max((count ?? value) + by, 1), MOST_PIECES));
    clearTimeout(timer.current);
    setTold(undefined);
    if (atOnce) {
      settle(next);
      return;
    }
    setTyped(next);
    timer.current = setTimeout(() => settleLast.current(), SETTLED_MS);
  }

  function giveUp() {
    clearTimeout(timer.current);
    setTold(undefined);
    setTyped(undefined);
  }

  function onLeave({ currentTarget, relatedTarget }: FocusEvent) {
    if (!currentTarget.parentElement?.contains(relatedTarget as Node | null)) settleLast.current();
  }

  function onKey(event: KeyboardEvent) {
    if (event.key === "ArrowUp") step(1);
    else if (event.key === "ArrowDown") step(-1);
    else if (event.key === "Enter") settle(present);
    else if (event.key === "Escape") giveUp();
    else return;
    event.preventDefault();
  }

  return (
    <span className={classes.field}>
      {plain ? null : (
        <button
          type="button"
          tabIndex={-1}
          disabled={disabled || (count ?? value) <= 1}
          aria-label={t`One less: ${of}`}
          onBlur={onLeave}
          onClick={() => step(-1)}
        >
          <MinusIcon />
        </button>
      )}
      <input
        inputMode="numeric"
        autoComplete="off"
        aria-label={t`Quantity: ${of}`}
        aria-invalid={count === undefined}
        disabled={disabled}
        value={present}
        onFocus={(event) => event.currentTarget.select()}
        aria-describedby={told ? id : undefined}
        onChange={(event) => {
          const digits = event.currentTarget.value.replace(/\D/g, "");
          setTold(Number(digits) > MOST_PIECES ? "most" : undefined);
          setTyped(capped(digits, MOST_PIECES));
        }}
        onKeyDown={onKey}
        onBlur={onLeave}
      />
      {plain ? null : (
        <button
          type="button"
          tabIndex={-1}
          disabled={disabled || (count ?? value) >= MOST_PIECES}
          aria-label={t`One more: ${of}`}
          onBlur={onLeave}
          onClick={() => step(1)}
        >
          <PlusIcon />
        </button>
      )}
      {told ? (
        <small id={id} role="status" className={classes.told}>
          {told === "most" ? (
            <Trans>At most {MOST_PIECES} pieces.</Trans>
          ) : (
            <Trans>A whole number from 1 on: {value} as before.</Trans>
          )}
        </small>
      ) : null}
    </span>
  );
}

/** Whole pieces from 1 to the most that a line holds; nothing for any other text. */
export function piecesIn(text: string): number | undefined {
  if (!/^\d{1,4}$/.test(text)) return undefined;
  const count = Number(text);
  return count >= 1 && count <= MOST_PIECES ? count : undefined;
}
