import { Trans } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { Heading } from "./heading";
import classes from "./message-screen.module.css";

/** A page whose script was never fetched, while there is no network. It comes by itself, as a whole, with the signal. */
export function NotLoadedScreen({ reload = () => window.location.reload() }) {
  useEffect(() => {
    window.addEventListener("online", reload);
    return () => window.removeEventListener("online", reload);
  }, [reload]);
  return (
    <div className={classes.screen} role="alert">
      <Heading>
        <Trans>This page was not loaded yet</Trans>
      </Heading>
      <p>
        <Trans>You are offline. The page comes by itself when the signal is back.</Trans>
      </p>
      <Link to="/" className={classes.other}>
        <Trans>Back to Home</Trans>
      </Link>
    </div>
  );
}

/** Browsers each have their own words for a script that cannot be fetched, and Vite has its own for a sheet. */
export function isMissingScript(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|module script|preload CSS/i.test(error.message)
  );
}
