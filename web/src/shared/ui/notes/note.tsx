import type { MessageDescriptor } from "@lingui/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { type ReactNode, type Ref, useEffect, useRef } from "react";
import { inTime } from "~/shared/alerts/alerts";
import { type Problem, problemOf, UNREACHABLE } from "~/shared/api/errors";
import { fetched } from "../fetched";
import classes from "./note.module.css";

type Words = MessageDescriptor | string;
type WordedProps = { problem: Problem; children: (words: Words) => ReactNode };

// With those of every refusal they are more than a form and its page.
const Worded = fetched<WordedProps>(() => inTime(import("./problem-words")), {
  failed: ({ problem, children }) => children(problem.detail),
});

type NoteProps = {
  tone: "fail" | "wait" | "ok" | "plain";
  children: ReactNode;
  action?: ReactNode;
  /** What it is about, read out before it; a note with a name can take the focus. */
  name?: string;
  ref?: Ref<HTMLDivElement>;
};

/** A message in the page. Failures are read out at once, all else when there is a pause. */
export function Note({ tone, children, action, name, ref }: NoteProps) {
  return (
    <div
      ref={ref}
      className={`${classes.note} ${tone === "plain" ? "" : classes[tone]}`}
      role={tone === "fail" ? "alert" : "status"}
      {...(name ? { "aria-label": name, tabIndex: -1 } : {})}
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
  /** Puts it away, where another try would not help. */
  onClose?: () => void;
  /** What failed, where one of several buttons was pressed: the note takes the focus, and is called by it. */
  name?: string;
  /** In place of another try. */
  action?: ReactNode;
};

/**
 * Why something did not work, with the reference of what is ours to mend, and another try where it may help, or a way to
 * put it away. That of a form comes into view, as the button that was pressed may be far below. What says that nobody was
 * reached has nothing to fetch.
 */
export function ProblemNote(props: ProblemNoteProps) {
  const { problem, besideFields = false } = props;
  if (!problem || (besideFields && problem.fields.length > 0)) return null;
  const drawn = (words: Words) => <Failure {...props} problem={problem} words={words} />;
  if (problem.code === "unreachable") return drawn(UNREACHABLE);
  return <Worded problem={problem}>{drawn}</Worded>;
}

type Answer = { data: unknown; isError: boolean; error: unknown };

/** What a person is told of a thing that is gone, or no longer theirs. */
const GONE: readonly number[] = [403, 404, 410];

/**
 * Whether there is nothing to show beside a failure. What was there before stays through one that may pass, with what was typed
 * there; a refusal that speaks of the thing itself takes its place.
 */
export function isLost({ data, isError, error }: Answer): boolean {
  if (!isError) return false;
  const { status, code } = problemOf(error);
  return data === undefined || GONE.includes(status) || code === "business_needed";
}

type FailureProps = ProblemNoteProps & { problem: Problem; words: Words };

/** Drawn as a whole, words and all: it is read out once. */
function Failure({
  problem,
  words,
  besideFields = false,
  onRetry,
  onClose,
  name,
  action,
}: FailureProps) {
  const { t, i18n } = useLingui();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (besideFields) place.current?.scrollIntoView({ block: "nearest" });
  }, [besideFields]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another problem is another note
  useEffect(() => {
    if (name) place.current?.focus();
  }, [problem, name]);
  return (
    <Note
      tone="fail"
      ref={place}
      name={name && t`Failed: ${name}`}
      action={
        action ? (
          action
        ) : onRetry && problem.status !== 403 ? (
          <Button variant="default" onClick={onRetry}>
            <Trans>Try again</Trans>
          </Button>
        ) : onClose ? (
          <Button variant="default" size="md" onClick={onClose}>
            {t`Close`}
          </Button>
        ) : undefined
      }
    >
      {name ? (
        <>
          <strong>{name}</strong>{" "}
        </>
      ) : null}
      {typeof words === "string" ? words : i18n._(words)}
      {problem.unexpected && problem.reference ? (
        <small>
          <Trans>Reference {problem.reference}</Trans>
        </small>
      ) : null}
    </Note>
  );
}
