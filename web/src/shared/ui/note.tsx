import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { type ReactNode, type Ref, useEffect, useRef } from "react";
import { wordsFor } from "~/shared/api/error-words";
import type { Problem } from "~/shared/api/errors";
import classes from "./note.module.css";

type NoteProps = {
  tone: "fail" | "wait" | "ok" | "plain";
  children: ReactNode;
  action?: ReactNode;
  ref?: Ref<HTMLDivElement>;
};

/** A message in the page. Failures are read out at once, all else when there is a pause. */
export function Note({ tone, children, action, ref }: NoteProps) {
  return (
    <div
      ref={ref}
      className={`${classes.note} ${tone === "plain" ? "" : classes[tone]}`}
      role={tone === "fail" ? "alert" : "status"}
    >
      <p>{children}</p>
      {action}
    </div>
  );
}

type ProblemNoteProps = {
  problem: Problem | undefined;
  /** Of a form: faults of its fields stand beside them. */
  besideFields?: boolean;
  onRetry?: () => void;
};

/**
 * Why something did not work, with the reference of what is ours to mend, and another try where it may help. That of a
 * form comes into view, as the button that was pressed may be far below.
 */
export function ProblemNote({ problem, besideFields = false, onRetry }: ProblemNoteProps) {
  const { i18n } = useLingui();
  const place = useRef<HTMLDivElement>(null);
  const isShown = problem !== undefined && !(besideFields && problem.fields.length > 0);
  useEffect(() => {
    if (isShown && besideFields) place.current?.scrollIntoView({ block: "nearest" });
  }, [isShown, besideFields]);
  if (!isShown) return null;
  const words = wordsFor(problem);
  return (
    <Note
      tone="fail"
      ref={place}
      action={
        onRetry && problem.status !== 403 ? (
          <Button variant="default" onClick={onRetry}>
            <Trans>Try again</Trans>
          </Button>
        ) : undefined
      }
    >
      {typeof words === "string" ? words : i18n._(words)}
      {problem.unexpected && problem.reference ? (
        <small>
          <Trans>Reference {problem.reference}</Trans>
        </small>
      ) : null}
    </Note>
  );
}
