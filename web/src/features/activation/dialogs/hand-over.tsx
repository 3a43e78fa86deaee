import { Trans, useLingui } from "@lingui/react/macro";
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { problemOf } from "~/shared/api/errors";
import { useFields } from "~/shared/forms/fields";
import { ProblemNote } from "~/shared/ui/note";
import { colleaguesQuery } from "../queries";
import type { Run } from "../session-hook";
import { Ask } from "./ask";
import classes from "./ask.module.css";

export function HandOverDialog({ run, onClose }: { run: Run; onClose: () => void }) {
  const { t } = useLingui();
  const form = useFields({ to: { rules: ["required"] } }, { leavable: true });
  const chosen = form.choice("to");
  const query = useQuery(colleaguesQuery(run.answer.id));
  const people = query.data?.results ?? [];
  return (
    <Ask
      title={t`Hand over to a colleague`}
      confirm={t`Hand over`}
      disabled={chosen.value === ""}
      onConfirm={form.submit(({ to }) => {
        run.ask({ type: "HAND_OVER", user_id: to });
        onClose();
      })}
      onClose={onClose}
    >
      <p>{t`The activation moves to their list and goes on at the same step.`}</p>
      {query.isPending ? <Skeleton height={48} /> : null}
      {query.error ? (
        <ProblemNote problem={problemOf(query.error)} onRetry={() => void query.refetch()} />
      ) : null}
      {query.data && people.length === 0 ? (
        <p>
          <Trans>Nobody else works at your dealer yet.</Trans>
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
    </Ask>
  );
}
