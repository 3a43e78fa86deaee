import { Trans, useLingui } from "@lingui/react/macro";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { OlderPage } from "~/shared/flow/older-page";
import { useAwake } from "~/shared/ui/awake";
import { Heading } from "~/shared/ui/screens/heading";
import { PageSkeleton } from "~/shared/ui/screens/page-skeleton";
import { About } from "./bar/about";
import { Leave } from "./bar/leave";
import { Progress } from "./bar/progress";
import { Failure } from "./commands/failure";
import { keepOnlyDraftOf } from "./draft";
import { Ended } from "./ended/ended";
import { EarlierStep } from "./parts/earlier-step";
import { FirmwareBeside } from "./parts/firmware-beside";
import { StepNotices } from "./parts/step-notices";
import classes from "./run-screen.module.css";
import { useActivation } from "./session-hook";
import { shownStep } from "./shown-step";
import { STEP_SCREENS } from "./steps/table";
import type { FlowAnswer } from "./types";
import { KeptHere } from "./waiting/kept-here";
import { STEP_WORDS } from "./words";

/** One run. The server says which step it stands at; the address may ask to look at an earlier one. */
export function RunScreen({ answer, step }: { answer: FlowAnswer; step: string | undefined }) {
  const { i18n } = useLingui();
  useAwake();
  const run = useActivation(answer);
  const { view } = run.answer;
  const present = run.step;
  const shown = shownStep(view.plan, present, step);
  useStepInAddress(view.id, present, shown, view.plan.includes(present));

  if (run.is("ended") || !view.plan.includes(present))
    return (
      <>
        <Leave />
        {run.is("ended") ? <Ended view={view} state={run.state} /> : <Opening />}
        {run.is("ended") ? <KeptHere id={view.id} /> : null}
      </>
    );
  const earlier = shown !== present;
  const words = STEP_WORDS[shown];
  const Step = STEP_SCREENS[present];
  return (
    <div className={classes.page} data-rev={run.answer.rev} data-drift={run.drift}>
      <About run={run} shown={shown} />
      <Progress run={run} shown={shown} />
      <section className={classes.step} aria-labelledby="step-name">
        <div id="step-name">
          <Heading focusKey={view.held ? `${shown}/held` : shown}>
            {words ? i18n._(words) : shown}
          </Heading>
        </div>
        <OlderPage drift={run.drift} />
        <StepNotices run={run} />
        {earlier ? null : <FirmwareBeside view={view} />}
        <KeptHere id={view.id} />
        {earlier ? (
          <EarlierStep view={view} step={shown} />
        ) : Step ? (
          <Step key={present} run={run} />
        ) : null}
        {earlier || !Step ? <Failure run={run} /> : null}
      </section>
    </div>
  );
}

/**
 * Keeps the step in the address. When the run moves while its present step is on screen, the screen goes along and the
 * step left behind stays in the history; an unknown or later step in the address is put right without an entry.
 */
function useStepInAddress(id: string, present: string, shown: string, inPlan: boolean) {
  const navigate = useNavigate();
  const last = useRef(present);
  useEffect(() => {
    if (!inPlan) return;
    const moved = last.current !== present;
    const followed = moved && shown === last.current;
    keepOnlyDraftOf(id, present);
    last.current = present;
    const wanted = followed ? present : shown;
    void navigate({
      to: "/activation/device",
      search: (held) => (held.step === wanted && held.id === id ? held : { id, step: wanted }),
      hash: true,
      replace: !followed,
      resetScroll: moved,
    });
  }, [id, present, shown, inPlan, navigate]);
}

/** The device is being asked what it is; the steps follow from its answer. */
function Opening() {
  return (
    <>
      <Heading>
        <Trans>Checking the device…</Trans>
      </Heading>
      <PageSkeleton titled />
    </>
  );
}
