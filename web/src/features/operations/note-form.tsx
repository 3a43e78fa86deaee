import { Textarea } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode, Ref } from "react";
import type { Problem } from "~/shared/api/errors";
import { below } from "~/shared/api/operation";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import { ProblemNote } from "~/shared/ui/notes/note";
import classes from "./operations.module.css";

export function useNote() {
  return useFields({ note: { rules: ["required"] } });
}

/** A note, and how what it is about is sent with it: what is shown of `area` is asked for anew, and the field is empty. */
export function useNoted(area = "/v1/operations") {
  const queries = useQueryClient();
  const form = useNote();
  const { busy, problem, done, forget, send } = useSend();

  /** Whether it was done. The same `intent` is done once. */
  async function act(work: (key: string) => Promise<unknown>, intent: unknown): Promise<boolean> {
    const refused = await send(async (key) => {
      await work(key);
      await queries.invalidateQueries({ predicate: below(area) });
    }, intent);
    if (refused) form.refuse(refused);
    else form.reset();
    return !refused;
  }

  return { form, busy, problem, done, forget, act };
}

type NoteFormProps = {
  ref?: Ref<HTMLFormElement>;
  of: { form: ReturnType<typeof useNote>; problem: Problem | undefined };
  /** What the note says. */
  label: string;
  /** Hears of the button that was pressed by its value. */
  onSend: (note: string, pressed: string) => unknown;
  onRetry?: () => void;
  /** What stands above the note. */
  head?: ReactNode;
  autoFocus?: boolean;
  /** The buttons. */
  children: ReactNode;
};

/** What operators write, for the audit, about what they do. */
export function NoteForm(props: NoteFormProps) {
  const { ref, of, label, onSend, onRetry, head, autoFocus, children } = props;
  const { form, problem } = of;
  return (
    <form
      ref={ref}
      className={classes.settle}
      onSubmit={form.submit(({ note }, pressed) => onSend(note, pressed))}
      noValidate
    >
      {head}
      <Textarea
        size="md"
        autosize
        minRows={2}
        maxLength={500}
        autoFocus={autoFocus}
        data-autofocus={autoFocus || undefined}
        label={label}
        {...form.field("note")}
      />
      <ProblemNote problem={problem} besideFields onRetry={onRetry} />
      {children}
    </form>
  );
}
