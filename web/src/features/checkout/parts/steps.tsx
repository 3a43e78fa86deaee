import { useLingui } from "@lingui/react/macro";
import { CheckIcon } from "~/shared/ui/icons";
import classes from "../steps.module.css";
import { STEPS } from "../words";

/** How far the order is. */
export function Steps({ state }: { state: string }) {
  const { t, i18n } = useLingui();
  const at = STEPS.findIndex(({ states }) => states.some((one) => one === state));
  if (at < 0) return null;
  const past = (place: number) => place < at || state === "confirmed";
  return (
    <ol className={classes.steps} aria-label={t`The way of your order`}>
      {STEPS.map(({ label }, place) => (
        <li
          key={label.id}
          data-at={past(place) ? "done" : place === at ? "here" : "ahead"}
          aria-current={place === at ? "step" : undefined}
        >
          <span aria-hidden="true">{past(place) ? <CheckIcon size={16} /> : place + 1}</span>
          {i18n._(label)}
        </li>
      ))}
    </ol>
  );
}
