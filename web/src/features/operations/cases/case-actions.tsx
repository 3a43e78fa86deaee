import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Textarea, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { below } from "~/shared/api/operation";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import { ProblemNote } from "~/shared/ui/note";
import { Panel } from "~/shared/ui/panel";
import classes from "../operations.module.css";
import { actOnCase, assignCase, type Case, type Deed } from "./queries";
import { DEEDS } from "./words";

/** What an administrator does about a case: takes it, writes down what was done, has it tried again, or ends it. */
export function CaseActions({ of }: { of: Case }) {
  return (
    <>
      {of.allowed.includes("ASSIGN") ? <Assign of={of} /> : null}
      <Act of={of} />
    </>
  );
}

function Assign({ of }: { of: Case }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const form = useFields({ email: { rules: ["email"] } });
  const { busy, problem, send } = useSend();

  async function assign({ email }: typeof form.texts) {
    const wanted = email.trim() || undefined;
    const refused = await send(
      async (key) => {
        await assignCase(of.id, wanted, key);
        await queries.invalidateQueries({ predicate: below("/v1/operations") });
        form.reset();
      },
      [of.id, of.updated_at, wanted],
    );
    if (refused) form.refuse(refused);
  }

  return (
    <Panel aria-label={t`Who takes care of it`}>
      <form className={classes.settle} onSubmit={form.submit(assign)} noValidate>
        <h2>
          <Trans>Who takes care of it</Trans>
        </h2>
        <TextInput
          size="md"
          type="email"
          label={t`Email of an administrator`}
          description={t`Leave it empty to take it yourself. The owner is told by mail.`}
          autoComplete="off"
          maxLength={254}
          {...form.field("email")}
        />
        <ProblemNote problem={problem} besideFields />
        <Button type="submit" size="md" variant="default" loading={busy}>
          {form.texts.email.trim() ? <Trans>Assign it</Trans> : <Trans>Take it myself</Trans>}
        </Button>
      </form>
    </Panel>
  );
}

function Act({ of }: { of: Case }) {
  const { t, i18n } = useLingui();
  const queries = useQueryClient();
  const form = useFields({ note: { rules: ["required"] } });
  const { busy, problem, send } = useSend();

  async function act(deed: Deed, note: string) {
    const refused = await send(
      async (key) => {
        await actOnCase(of.id, deed, note, key);
        await queries.invalidateQueries({ predicate: below("/v1/operations") });
        form.reset();
      },
      [of.id, of.updated_at, deed, note],
    );
    if (refused) form.refuse(refused);
  }

  return (
    <Panel aria-label={t`What to do`}>
      <form
        className={classes.settle}
        onSubmit={form.submit(({ note }, pressed) => {
          const chosen = DEEDS.find(({ deed }) => deed === pressed);
          if (chosen) void act(chosen.deed, note);
        })}
        noValidate
      >
        <h2>
          <Trans>What to do</Trans>
        </h2>
        <Textarea
          size="md"
          rows={3}
          maxLength={500}
          label={t`What was done about it`}
          {...form.field("note")}
        />
        <ProblemNote problem={problem} besideFields />
        {DEEDS.filter(({ event }) => of.allowed.includes(event)).map(({ deed, words }) => (
          <Button
            key={deed}
            type="submit"
            value={deed}
            size="md"
            variant={deed === "resolve" ? "filled" : "default"}
            loading={busy}
          >
            {i18n._(words)}
          </Button>
        ))}
      </form>
    </Panel>
  );
}
