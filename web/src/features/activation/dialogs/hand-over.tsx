import { Trans, useLingui } from "@lingui/react/macro";
import { Checkbox, Skeleton, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { problemOf } from "~/shared/api/errors";
import { boxed, useFields } from "~/shared/forms/fields";
import { ProblemNote } from "~/shared/ui/notes/note";
import { colleaguesQuery } from "../queries";
import type { Run } from "../session-hook";
import { Ask } from "./ask";
import classes from "./ask.module.css";
import { useAskingOf } from "./use-asking";

const MOST_OF_A_NOTE = 400;

type HandOverDialogProps = {
  run: Run;
  onClose: () => void;
  /** Only to pay is what it is opened for. */
  toPay?: boolean;
};

/** Who goes on, what they should know, and whether it comes back once the plan is paid. */
export function HandOverDialog({ run, onClose, toPay = false }: HandOverDialogProps) {
  const { t } = useLingui();
  const form = useFields(
    { to: { rules: ["required"] }, note: { rules: [] }, pay: { rules: [], initial: boxed(toPay) } },
    { leavable: true },
  );
  const chosen = form.choice("to");
  const pay = form.box("pay");
  const query = useQuery(colleaguesQuery(run.answer.id));
  const people = (query.data?.results ?? []).filter(({ may_buy }) => may_buy || !pay.checked);
  const asking = useAskingOf(form, run, "HAND_OVER", onClose);
  return (
    <Ask
      title={t`Hand over to a colleague`}
      confirm={t`Hand over`}
      disabled={!people.some(({ id }) => id === chosen.value)}
      onConfirm={form.submit(({ to, note }) =>
        asking.ask({
          type: "HAND_OVER",
          user_id: to,
          note: note.trim(),
          only_to_pay: pay.checked,
        }),
      )}
      asking={asking}
    >
      <p>
        {pay.checked
          ? t`The activation moves to their list, and comes back to you once the step of the plan is done.`
          : t`The activation moves to their list and goes on at the same step.`}
      </p>
      {run.step === "purchase-plan" ? (
        <Checkbox size="md" label={t`Only to pay for the plan`} {...pay} />
      ) : null}
      {query.isPending ? <Skeleton height={48} /> : null}
      {query.error ? (
        <ProblemNote problem={problemOf(query.error)} onRetry={() => void query.refetch()} />
      ) : null}
      {query.data && people.length === 0 ? (
        <p>
          {pay.checked ? (
            <Trans>Nobody else at your dealer may buy plans.</Trans>
          ) : (
            <Trans>Nobody else at your dealer can go on with it.</Trans>
          )}
        </p>
      ) : null}
      {people.length > 0 ? (
        <fieldset className={classes.people}>
          <legend>
            <Trans>Who goes on?</Trans>
          </legend>
          {people.map((person) => (
            <label key={person.id}>
              <input
                type="radio"
                name={chosen.name}
                checked={chosen.value === person.id}
                onChange={() => chosen.onChange(person.id)}
              />
              {person.name}
            </label>
          ))}
        </fieldset>
      ) : null}
      <Textarea
        size="md"
        autosize
        minRows={2}
        maxLength={MOST_OF_A_NOTE}
        label={t`What should they know? (optional)`}
        description={t`They get it by mail and see it with the activation.`}
        {...form.field("note")}
      />
    </Ask>
  );
}
