import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Textarea } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { below } from "~/shared/api/operation";
import { useSend } from "~/shared/api/send";
import { ProblemNote } from "~/shared/ui/note";
import { Panel } from "~/shared/ui/panel";
import classes from "./operations.module.css";
import { type How, type Run, settlePlacement } from "./queries";
import { adviceFor, HOW_WORDS, WAYS } from "./words";

/** What an operator does about an order that can not go on by itself. It stays on the list until it goes on. */
export function SettlePlacement({ run }: { run: Run }) {
  const { t, i18n } = useLingui();
  const queries = useQueryClient();
  const [note, setNote] = useState("");
  const { busy, problem, send } = useSend();

  function act(how: How) {
    void send(
      async (key) => {
        await settlePlacement(run.id, how, note, key);
        await queries.invalidateQueries({ predicate: below("/v1/operations") });
      },
      [run.id, how, note],
    );
  }

  return (
    <Panel aria-label={t`Needs attention`}>
      <div className={classes.settle}>
        <h2>
          <Trans>Needs attention</Trans>
        </h2>
        <p>{i18n._(adviceFor(run))}</p>
        <Textarea
          size="md"
          required
          rows={3}
          maxLength={500}
          label={t`What was done about it`}
          value={note}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
        <ProblemNote problem={problem} />
        {(WAYS[run.error_code ?? ""] ?? []).map((how, place) => (
          <Button
            key={how}
            size="md"
            variant={place === 0 ? "filled" : "default"}
            loading={busy}
            disabled={note.trim() === ""}
            onClick={() => act(how)}
          >
            {i18n._(HOW_WORDS[how])}
          </Button>
        ))}
      </div>
    </Panel>
  );
}
