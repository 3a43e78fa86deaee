import { Trans } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { useLink } from "~/shared/live/live";
import { ClockIcon } from "../pictures/icons";
import classes from "./offline-bar.module.css";

const PATIENCE_MS = 1500; // a stream that is renewed is no news

function watch(tell: () => void): () => void {
  window.addEventListener("online", tell);
  window.addEventListener("offline", tell);
  return () => {
    window.removeEventListener("online", tell);
    window.removeEventListener("offline", tell);
  };
}

export function useOnline(): boolean {
  return useSyncExternalStore(watch, () => navigator.onLine);
}

/** Gives what sticks below the bar the bar's height, `--offline`, while it stands. */
function useHeight(shown: boolean) {
  const bar = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const { current } = bar;
    if (!shown || !current) return;
    const watch = new ResizeObserver(() =>
      style.setProperty("--offline", `${current.offsetHeight}px`),
    );
    watch.observe(current);
    return () => {
      watch.disconnect();
      style.removeProperty("--offline");
    };
  }, [shown]);
  return bar;
}

/** Stays while there is no network, or while the server's live stream is gone for more than a moment. */
export function OfflineBar() {
  const online = useOnline();
  const lost = useLink() === "lost";
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!lost) {
      setLate(false);
      return;
    }
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [lost]);
  const shown = !online || late;
  const bar = useHeight(shown);
  if (!shown) return null;
  return (
    <div ref={bar} className={classes.bar} role="status">
      <ClockIcon />
      {online ? (
        <Trans>Connection lost. We keep trying; what you entered is kept.</Trans>
      ) : (
        <span>
          <Trans>You are offline. What you entered is kept, and we go on when you are back.</Trans>{" "}
          <Link to="/offline">
            <Trans>Read what is kept here</Trans>
          </Link>
        </span>
      )}
    </div>
  );
}
