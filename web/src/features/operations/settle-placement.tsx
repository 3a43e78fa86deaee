import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Textarea } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { below } from "~/shared/api/operation";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import { ProblemNote } from "~/shared/ui/note";
import { Panel } from "~/shared/ui/panel";
import classes from "./operations.module.css";
import { type How, type Run, settlePlacement } from "./queries";
import { adviceFor, HOW_WORDS, WAYS } from "./words";

/** What an operator does about an order that cannot go on by itself. It stays on the list until it goes on. */
export function SettlePlacement({ run }: { run: Run }) {
  const { t, i18n } = useLingui();
  const queries = useQueryClient();
  const form = useFields({ note: { rules: ["required"] } });
  const { busy, problem, send } = useSend();

  async function act(how: How, note: string) {
    const refused = await send(
      async (key) => {
        await settlePlacement(run.id, how, note, key);
        await queries.invalidateQueries({ predicate: below("/v1/operations") });
      },
      [run.id, how, note],
    );
    if (refused) form.refuse(refused);
    else form.reset();
  }

  const ways = WAYS[run.error_code ?? ""] ?? [];
  return (
    <Panel aria-label={t`Needs attention`}>
      <form
        className={classes.settle}
        onSubmit={form.submit(({ note }, pressed) => {
          const how = ways.find((one) => one === pressed);
          if (how) void act(how, note);
        })}
        noValidate
      >
        <h2>
          <Trans>Needs attention</Trans>
        </h2>
        <p>{i18n._(adviceFor(run))}</p>
        <Textarea
          size="md"
          rows={3}
          maxLength={500}
          label={t`What was done about it`}
          {...form.field("note")}
        />
        <ProblemNote problem={problem} besideFields />
        {ways.map((how, place) => (
          <Button
            key={how}
            type="submit"
            value={how}
            size="md"
            variant={place === 0 ? "filled" : "default"}
            loading={busy}
          >
            {i18n._(HOW_WORDS[how])}
          </Button>
        ))}
      </form>
    </Panel>
  );
}
