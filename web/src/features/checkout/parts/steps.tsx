import { useLingui } from "@lingui/react/macro";
import { CheckIcon } from "~/shared/ui/icons";
import classes from "../steps.module.css";
import { STEPS } from "../words";

/** How far the order is. */
export function Steps({ state }: { state: string }) {
  const { t, i18n } = useLingui();
  const at = STEPS.findIndex(({ states }) => states.some((one) => one === state));
  if (at < 0) return null;
  return (
    <ol className={classes.steps} aria-label={t`The way of your order`}>
      {STEPS.map(({ label }, place) => (
        <li
          key={label.id}
          data-at={place < at ? "done" : place === at ? "here" : "ahead"}
          aria-current={place === at ? "step" : undefined}
        >
          <span aria-hidden="true">{place < at ? <CheckIcon size={16} /> : place + 1}</span>
          {i18n._(label)}
        </li>
      ))}
    </ol>
  );
}
