import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Textarea } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { below } from "~/shared/api/operation";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import { Note, ProblemNote } from "~/shared/ui/note";
import { Panel } from "~/shared/ui/panel";
import classes from "./operations.module.css";
import { type Run, settle } from "./queries";
import { adviceFor } from "./words";

/** What to do about a run that needs attention; and the word that it has been done, which takes it off the list. */
export function Settle({ run }: { run: Run }) {
  const { t, i18n } = useLingui();
  const queries = useQueryClient();
  const form = useFields({ note: { rules: ["required"] } });
  const { busy, problem, done, send } = useSend();

  async function submit({ note }: typeof form.texts) {
    const refused = await send(
      async (key) => {
        await settle(run, note, key);
        await queries.invalidateQueries({ predicate: below("/v1/operations") });
      },
      [run.kind, run.id, note],
    );
    if (refused) form.refuse(refused);
    else form.reset();
  }

  return (
    <Panel aria-label={t`Needs attention`}>
      <form className={classes.settle} onSubmit={form.submit(submit)} noValidate>
        <h2>
          <Trans>Needs attention</Trans>
        </h2>
        <p>{i18n._(adviceFor(run))}</p>
        {done ? (
          <Note tone="ok">
            <Trans>It is off the list. What you wrote is in the audit.</Trans>
          </Note>
        ) : (
          <>
            <Textarea
              size="md"
              autosize
              minRows={2}
              maxLength={500}
              label={t`What was done about it`}
              {...form.field("note")}
            />
            <ProblemNote problem={problem} besideFields />
            <Button type="submit" size="md" loading={busy}>
              <Trans>Take it off the list</Trans>
            </Button>
          </>
        )}
      </form>
    </Panel>
  );
}
