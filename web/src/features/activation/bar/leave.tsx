import { Trans } from "@lingui/react/macro";
import { useRouter } from "@tanstack/react-router";
import { useBack } from "~/shared/navigation/use-back";
import { BackIcon } from "~/shared/ui/pictures/icons";
import { InTaskBar } from "~/shared/ui/screens/task-bar";
import classes from "./about.module.css";

/** Back in the bar where no step of a run can be gone back to: to the page that was left for this one. */
export function Leave() {
  const router = useRouter();
  const { before } = useBack();

  function leave() {
    if (before) router.history.go(-before.by);
    else void router.navigate({ to: "/activation", replace: true });
  }

  return (
    <InTaskBar>
      <button type="button" className={classes.back} onClick={leave}>
        <BackIcon />
        <span>
          <Trans>Back</Trans>
        </span>
      </button>
    </InTaskBar>
  );
}
