import { Trans, useLingui } from "@lingui/react/macro";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Dialog } from "~/shared/ui/dialogs/dialog";
import { useOnline } from "~/shared/ui/notes/offline-bar";
import { BackIcon, DownIcon } from "~/shared/ui/pictures/icons";
import { InTaskBar, TaskAbout } from "~/shared/ui/screens/task-bar";
import bar from "~/shared/ui/screens/task-bar.module.css";
import { nameOf } from "~/shared/vehicles/name";
import { DeviceFacts } from "../parts/device-facts";
import type { Run } from "../session-hook";
import classes from "./about.module.css";
import { StepList } from "./progress";
import { RunMenu } from "./run-menu";

/** In the bar: one step back, or from one that is looked at to the present one; which device in which vehicle, how far it is, and what is rarely needed. */
export function About({ run, shown }: { run: Run; shown: string }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const online = useOnline();
  const [open, setOpen] = useState(false);
  const { view } = run.answer;
  const { device_key } = view.device;
  const { vehicle } = view.facts;
  const place = view.plan.indexOf(shown) + 1;
  const isPresent = shown === run.step;

  function showPresent() {
    const search = { id: view.id, step: run.step };
    void navigate({ to: "/activation/device", search, hash: true, replace: true });
  }

  return (
    <InTaskBar>
      <button
        type="button"
        className={classes.back}
        disabled={isPresent && (!online || view.held || !run.can("BACK"))}
        onClick={isPresent ? () => run.ask({ type: "BACK" }) : showPresent}
      >
        <BackIcon />
        <span>
          <Trans>Back</Trans>
        </span>
      </button>
      <button
        type="button"
        className={`${bar.about} ${classes.about}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <TaskAbout
          what={<code>{device_key}</code>}
          more={vehicle ? nameOf(vehicle) : undefined}
          place={place}
          total={view.total}
          done={view.position}
        >
          <DownIcon />
        </TaskAbout>
      </button>
      <RunMenu run={run} />
      {open ? (
        <Dialog title={t`All steps`} onClose={() => setOpen(false)}>
          <div className={classes.steps}>
            <StepList run={run} shown={shown} />
            <DeviceFacts device={view.device} replaced={view.facts.replaced} />
          </div>
        </Dialog>
      ) : null}
    </InTaskBar>
  );
}
