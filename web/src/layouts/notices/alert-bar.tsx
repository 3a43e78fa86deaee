import { useLingui } from "@lingui/react/macro";
import { useEffect, useState } from "react";
import { type Alert, dismiss, useAlerts } from "~/shared/alerts/alerts";
import { CrossIcon } from "~/shared/ui/pictures/icons";
import classes from "./alert-bar.module.css";

/** Messages above the page, each with its own clock. */
export function AlertBar() {
  const { t } = useLingui();
  const alerts = useAlerts();
  return (
    <section className={classes.alerts} aria-label={t`Messages`} hidden={alerts.length === 0}>
      {alerts.map((alert) => (
        <AlertLine key={alert.id} alert={alert} />
      ))}
    </section>
  );
}

/** The clock stands still while the message is under the pointer or holds the focus. */
function AlertLine({ alert }: { alert: Alert }) {
  const { t, i18n } = useLingui();
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (!alert.autoDismiss || held) return;
    const timer = setTimeout(() => dismiss(alert.id), alert.timeout);
    return () => clearTimeout(timer);
  }, [alert, held]);
  const lines = alert.content.map((line) => (typeof line === "string" ? line : i18n._(line)));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the pointer and the focus only stop the clock
    <div
      className={`${classes.alert} ${classes[alert.type]}`}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div role={alert.type === "error" ? "alert" : "status"}>
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
      {alert.action ? (
        <button type="button" onClick={alert.action.run}>
          {i18n._(alert.action.label)}
        </button>
      ) : null}
      <button type="button" aria-label={t`Close`} onClick={() => dismiss(alert.id)}>
        <CrossIcon />
      </button>
    </div>
  );
}
