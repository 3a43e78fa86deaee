import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { CONSTANTS } from "~/shared/constants";
import { useSession } from "~/shared/session/session";
import { allowAnalytics, analyticsAllowed } from "~/shared/storage";
import { storeOf } from "~/shared/store";
import classes from "./cookie-banner.module.css";

/** Whether somebody wants to choose once more. */
const again = storeOf(false);

export const askAgain = () => again.set(true);

/**
 * Asks visitors once a day whether their visits may be counted, unless `asks` is off, and anybody who wants to choose once
 * more.
 */
export function CookieBanner({ asks = true, reload = () => window.location.reload() }) {
  const { t } = useLingui();
  const anonymous = useSession().state === "anonymous";
  const [asked, setAsked] = useState(() => analyticsAllowed() !== undefined);
  const wanted = again.use();
  if (!wanted && (!asks || asked || !anonymous)) return null;

  function answer(allowed: boolean) {
    allowAnalytics(allowed, CONSTANTS.cookieMaxAgeSeconds);
    setAsked(true);
    again.set(false);
    // A reload signs out whoever is not remembered, and nobody who is signed in is counted.
    if (!allowed && anonymous) reload();
  }

  return (
    <section className={classes.banner} data-asks aria-label={t`Cookies`}>
      <p>
        <Trans>
          May we count your visit? It helps us see what is used. More in the{" "}
          <Link to="/privacy-policy">Privacy Policy</Link>.
        </Trans>
      </p>
      <div>
        <Button variant="default" size="md" onClick={() => answer(false)}>
          <Trans>Decline</Trans>
        </Button>
        <Button size="md" onClick={() => answer(true)}>
          <Trans>Accept</Trans>
        </Button>
      </div>
    </section>
  );
}
