import { useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { Panel } from "~/shared/ui/screens/panel";
import { NoteForm, useNoted } from "../note-form";
import { type Run, settlePlacement } from "../queries";
import { HOW_WORDS, WAYS } from "../words";
import { Needed } from "./needed";

/** What an operator does about an order that cannot go on by itself. It stays on the list until it goes on. */
export function SettlePlacement({ run }: { run: Run }) {
  const { t, i18n } = useLingui();
  const { busy, act, ...noted } = useNoted();
  const ways = WAYS[run.error_code ?? ""] ?? [];

  function settle(note: string, pressed: string) {
    const how = ways.find((one) => one === pressed);
    if (how) void act((key) => settlePlacement(run.id, how, note, key), [run.id, how, note]);
  }

  return (
    <Panel aria-label={t`Needs attention`}>
      <NoteForm
        of={noted}
        label={t`What was done about it`}
        onSend={settle}
        head={<Needed run={run} />}
      >
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
      </NoteForm>
    </Panel>
  );
}
