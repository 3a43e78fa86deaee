import { Plural } from "@lingui/react/macro";
import { useWaiting } from "~/shared/kept/waiting";
import { useOpener } from "~/shared/ui/dialogs/opener";
import { fetchedDialog } from "~/shared/ui/fetched";
import { ClockIcon } from "~/shared/ui/pictures/icons";
import classes from "../layout.module.css";

const List = fetchedDialog(() => import("~/features/activation/waiting/waiting-forms"));

/** In the bar, while something that was entered without a signal waits on this device. */
export function WaitingForms() {
  const count = useWaiting();
  const { below, button } = useOpener("dialog", true);
  return (
    <>
      {count > 0 ? (
        <button type="button" className={classes.waiting} data-waiting {...button}>
          <ClockIcon />
          <b aria-hidden="true">{count}</b>
          <span className="quiet">
            <Plural value={count} one="# form waits to be sent." other="# forms wait to be sent." />
          </span>
        </button>
      ) : null}
      {below.open ? <List {...below} /> : null}
    </>
  );
}
