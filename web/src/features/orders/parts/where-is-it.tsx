import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { Status } from "~/shared/ui/notes/status";
import { CheckIcon } from "~/shared/ui/pictures/icons";
import { Panel } from "~/shared/ui/screens/panel";
import type { Order } from "../queries";
import { type Step, stepsOf } from "../steps";
import { STATUS_WORDS, toneOf, WAITS_WORDS } from "../words";
import classes from "./where-is-it.module.css";

const STEP_WORDS: Record<Step, MessageDescriptor> = {
  placed: msg`Placed`,
  handed_over: msg`Handed over`,
  accepted: msg({ message: "Confirmed", context: "order" }),
  shipped: msg`Shipped`,
  invoiced: msg`Invoiced`,
};

/** The way of an order as steps, and in words what it waits for. */
export function WhereIsIt({ order }: { order: Order }) {
  const { i18n, t } = useLingui();
  const reason = order.history.find(({ kind }) => kind === "cancelled")?.note;
  return (
    <Panel className={classes.where} aria-label={t`Where is my order?`}>
      <div className={classes.head}>
        <h2>
          <Trans>Where is my order?</Trans>
        </h2>
        <Status tone={toneOf(order.status)}>{i18n._(STATUS_WORDS[order.status])}</Status>
      </div>
      <ol className={classes.steps}>
        {stepsOf(order).map(({ step, state, at }) => (
          <li
            key={step}
            className={classes[state]}
            aria-current={state === "present" ? "step" : undefined}
          >
            <span className={classes.mark} aria-hidden="true">
              {state === "done" ? <CheckIcon size={16} /> : null}
            </span>
            <span className={classes.word}>
              {i18n._(STEP_WORDS[step])}
              {state === "done" ? (
                <span className="quiet">
                  {" "}
                  <Trans>(done)</Trans>
                </span>
              ) : null}
            </span>
            {at ? <time dateTime={at}>{i18n.date(at, { dateStyle: "medium" })}</time> : null}
          </li>
        ))}
      </ol>
      <p role="status">
        {order.waitsFor ? (
          i18n._(WAITS_WORDS[order.waitsFor])
        ) : order.status === "cancelled" ? (
          reason ? (
            <Trans>This order was cancelled: {reason}</Trans>
          ) : (
            <Trans>This order was cancelled.</Trans>
          )
        ) : (
          <Trans>This order is complete.</Trans>
        )}
      </p>
    </Panel>
  );
}
