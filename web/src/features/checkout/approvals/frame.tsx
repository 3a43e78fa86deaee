import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { OlderPage } from "~/shared/flow/older-page";
import type { Flow } from "~/shared/flow/use-flow";
import { handOn } from "~/shared/ui/hand-on";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import { Status, type Tone } from "~/shared/ui/notes/status";
import { Heading } from "~/shared/ui/screens/heading";
import { Panel } from "~/shared/ui/screens/panel";
import checkout from "../checkout.module.css";
import type { PlacementAnswer } from "../types";
import { Answer, type Said } from "./answer";
import classes from "./approvals.module.css";

/** What a run that waits for an approval has, whatever it buys. */
type Run = Pick<
  Flow,
  "state" | "drift" | "problem" | "failed" | "again" | "dismiss" | "can" | "sent"
> & {
  answer: { rev: number; view: Pick<PlacementAnswer["view"], "approval"> };
  ask: (said: Said) => void;
};

type ApprovalFrameProps = {
  run: Run;
  title: ReactNode;
  tone: Tone;
  state: string;
  /** Why it waits for the buyer again. */
  requoted: ReactNode;
  /** Rows of a list of terms, after the reason and the end of the wait. */
  facts: ReactNode;
  /** What comes of a yes. */
  promise: ReactNode;
  about: string;
  children: ReactNode;
};

/** What waits as its buyer agreed to it, where it stands, and the owner's answer. */
export function ApprovalFrame(props: ApprovalFrameProps) {
  const { t } = useLingui();
  const { run, title, tone, state, requoted, facts, promise, about, children } = props;
  const approval = run.answer.view.approval;
  const isWaiting = run.state === "waiting_for_approval";
  const form = useId();

  /** The same answer once more is the same one; another word makes it another. */
  function say(said: Said) {
    if (run.again && JSON.stringify(run.failed) === JSON.stringify(said)) run.again();
    else run.ask(said);
  }

  return (
    <>
      <Heading focusKey={run.state}>{title}</Heading>
      <OlderPage drift={run.drift} />
      <div className={checkout.columns} data-rev={run.answer.rev}>
        <Panel className={checkout.part} aria-label={t`Approval`}>
          <p role="status">
            <Status tone={tone}>{state}</Status>
          </p>
          {run.state === "requoted" ? <Note tone="wait">{requoted}</Note> : null}
          {!isWaiting && run.state !== "requoted" && approval?.answered_by ? (
            <p>
              <Trans>Answered by {approval.answered_by}</Trans>
              {approval.note ? <>: “{approval.note}”</> : null}
            </p>
          ) : null}
          <dl className={classes.facts}>
            <dt>
              <Trans>Reason</Trans>
            </dt>
            <dd>{approval?.reason || "—"}</dd>
            {approval && isWaiting ? <Until at={approval.until} /> : null}
            {facts}
          </dl>
          {isWaiting ? (
            <Answer id={form} run={run} onSay={say}>
              {promise}
            </Answer>
          ) : null}
          <ProblemNote
            problem={run.problem}
            action={
              run.problem?.passing && isWaiting ? (
                <Button
                  ref={handOn}
                  type="submit"
                  form={form}
                  value={run.failed?.type}
                  variant="default"
                >
                  <Trans>Try again</Trans>
                </Button>
              ) : undefined
            }
            onClose={run.dismiss}
          />
        </Panel>
        <Panel className={checkout.summary} aria-label={about}>
          <h2>{about}</h2>
          {children}
        </Panel>
      </div>
    </>
  );
}

function Until({ at }: { at: string }) {
  const { i18n } = useLingui();
  return (
    <>
      <dt>
        <Trans>Waits until</Trans>
      </dt>
      <dd>{i18n.date(at, { dateStyle: "medium" })}</dd>
    </>
  );
}
