import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { type ClipboardEvent, type KeyboardEvent, memo } from "react";
import { MOST_PIECES } from "~/shared/cart/quantity-field";
import { dollars } from "~/shared/catalogue/money";
import { capped, withoutSymbols } from "~/shared/forms/validation";
import { handOn } from "~/shared/ui/hand-on";
import { Status } from "~/shared/ui/notes/status";
import { CrossIcon } from "~/shared/ui/pictures/icons";
import { type PadRow, roundedUp } from "../pad";
import type { Typing } from "../typing";
import { toneOf, verdictWords } from "../verdicts";
import classes from "./pad.module.css";
import { Suggested } from "./suggested";

type PadLineProps = {
  row: PadRow;
  number: number;
  /** Whether products are named for what no SKU is. */
  suggests: boolean;
} & Typing;

/** A row to type in: Enter goes from the SKU to the number, and on to the next row. */
export const PadLine = memo(function PadLine(props: PadLineProps) {
  const { row, number, suggests, onChange, onNext, onPaste, onRemove } = props;
  const { t, i18n } = useLingui();
  const { judged } = row;
  const whole = roundedUp(row);

  const onKey = (from: "sku" | "quantity") => (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    onNext(row.id, from);
  };

  /** The button goes with the row's verdict: the focus goes on to the number. */
  function put(change: { sku?: string; quantity?: string }) {
    onChange(row.id, change);
    document.getElementById(`quantity-${row.id}`)?.focus();
  }

  function paste(event: ClipboardEvent) {
    const text = event.clipboardData.getData("text");
    if (!/[\n\t;]/.test(text.trim())) return;
    event.preventDefault();
    onPaste(row.id, text);
  }

  return (
    <tr className={judged && toneOf(judged) === "fail" ? classes.faulty : undefined}>
      <td className={classes.number}>{number}</td>
      <td className={classes.sku} data-label={t`SKU`}>
        <input
          id={`sku-${row.id}`}
          aria-label={t`SKU, row ${number}`}
          aria-describedby={judged ? `verdict-${row.id}` : undefined}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={64}
          value={row.sku}
          onChange={(event) => onChange(row.id, { sku: withoutSymbols(event.currentTarget.value) })}
          onKeyDown={onKey("sku")}
          onPaste={paste}
        />
      </td>
      <td className={classes.quantity} data-label={t`Quantity`}>
        <input
          id={`quantity-${row.id}`}
          aria-label={t`Quantity, row ${number}`}
          autoComplete="off"
          inputMode="numeric"
          maxLength={12}
          placeholder={row.sku ? "1" : undefined}
          value={row.quantity}
          onChange={(event) => {
            const quantity = capped(withoutSymbols(event.currentTarget.value), MOST_PIECES);
            onChange(row.id, { quantity });
          }}
          onKeyDown={onKey("quantity")}
          onPaste={paste}
        />
      </td>
      <td className={classes.verdict} id={`verdict-${row.id}`}>
        {judged ? (
          <>
            {judged.product_id && judged.name ? (
              <Link to="/product/{-$id}" params={{ id: judged.product_id }}>
                {judged.name}
              </Link>
            ) : null}
            <Status tone={toneOf(judged)}>{verdictWords(i18n, judged).join(". ")}</Status>
            {whole === undefined ? null : (
              <button
                type="button"
                className={classes.offer}
                onClick={() => put({ quantity: String(whole) })}
              >
                <Trans>Round up to {whole}</Trans>
              </button>
            )}
            {suggests ? <Suggested typed={row.sku} onChoose={(sku) => put({ sku })} /> : null}
          </>
        ) : null}
      </td>
      <td className={classes.sum}>
        {judged?.total !== null && judged?.total !== undefined ? (
          <>
            <span className="quiet">
              <Trans>Total</Trans>{" "}
            </span>
            {dollars(i18n, judged.total)}
          </>
        ) : null}
      </td>
      <td className={classes.out}>
        <button
          ref={handOn}
          type="button"
          aria-label={t`Remove row ${number}`}
          onClick={() => onRemove(row.id)}
        >
          <CrossIcon size={18} />
        </button>
      </td>
    </tr>
  );
});
