import { Trans, useLingui } from "@lingui/react/macro";
import { isUnproven, useSession } from "~/shared/session/session";
import { ClockIcon } from "../pictures/icons";
import classes from "./as-of.module.css";
import { Note } from "./note";
import { useOnline } from "./offline-bar";

/** While there is no signal: when the server said last what the page shows, in ms since the epoch. */
export function AsOf({ at }: { at: number }) {
  const { i18n } = useLingui();
  const online = useOnline();
  const unproven = isUnproven(useSession());
  if (online && !unproven) return null;
  const today = new Date(at).toDateString() === new Date().toDateString();
  const moment = i18n.date(new Date(at), {
    ...(today ? {} : { dateStyle: "medium" }),
    timeStyle: "short",
  });
  return (
    <p className={classes.asOf}>
      <ClockIcon />
      <span>
        <Trans>As of {moment}. What is new comes by itself with the signal.</Trans>
      </span>
    </p>
  );
}

/** In the place of what never came here, while there is no signal. */
export function NotKept() {
  return (
    <Note tone="plain">
      <Trans>This is not kept here. It comes by itself with the signal.</Trans>
    </Note>
  );
}
