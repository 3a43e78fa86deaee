import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Textarea } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { tell } from "~/shared/alerts/alerts";
import { below } from "~/shared/api/operation";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import { handOn } from "~/shared/ui/hand-on";
import { ProblemNote } from "~/shared/ui/note";
import { Panel } from "~/shared/ui/panel";
import classes from "./operations.module.css";
import { type GivenUpKind, giveUp, type Run } from "./queries";
import { adviceFor } from "./words";

type Props = { run: Run & { kind: GivenUpKind } };

/** What an operator does about a purchase or payment that is open: it is given up in the place of its buyer. */
export function GiveUp({ run }: Props) {
  const { t, i18n } = useLingui();
  const queries = useQueryClient();
  const form = useFields({ note: { rules: ["required"] } });
  const { busy, problem, send } = useSend();

  async function submit({ note }: typeof form.texts) {
    const refused = await send(
      async (key) => {
        await giveUp(run.kind, run.id, note, key);
        await queries.invalidateQueries({ predicate: below("/v1/operations") });
      },
      [run.kind, run.id, note],
    );
    if (refused) return form.refuse(refused);
    form.reset();
    tell({
      type: "success",
      content: msg`It is given up, and ends by itself. What you wrote is in the audit.`,
    });
  }

  return (
    <Panel aria-label={t`Needs attention`}>
      <form ref={handOn} className={classes.settle} onSubmit={form.submit(submit)} noValidate>
        <h2>
          <Trans>Needs attention</Trans>
        </h2>
        <p>{i18n._(adviceFor(run))}</p>
        <Textarea
          size="md"
          autosize
          minRows={2}
          maxLength={500}
          label={t`Why it is given up`}
          {...form.field("note")}
        />
        <ProblemNote problem={problem} besideFields />
        <Button type="submit" size="md" variant="default" loading={busy}>
          {run.state === "part_failed" ? (
            <Trans>Pay back what failed</Trans>
          ) : (
            <Trans>Let go of the payment</Trans>
          )}
        </Button>
      </form>
    </Panel>
  );
}
