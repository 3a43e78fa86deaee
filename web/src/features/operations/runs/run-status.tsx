import { Trans, useLingui } from "@lingui/react/macro";
import { Status, type Tone } from "~/shared/ui/notes/status";
import type { Run } from "../queries";
import { TURN_WORDS } from "../words";
import { stateInWords } from "./state";

const WELL = new Set(["completed", "done", "accepted", "registered"]);

/** Where a run stands, and whom it waits for. */
export function RunStatus({ run }: { run: Run }) {
  const { i18n } = useLingui();
  const state = run.outcome ?? run.state;
  const words = stateInWords(i18n, run.kind, state);
  return (
    <>
      <Status tone={toneOf(run)}>{words}</Status>
      {words === state ? null : <small>{state}</small>}
      {run.waits_for ? (
        <small>
          <Trans>waits for {i18n._(TURN_WORDS[run.waits_for])}</Trans>
        </small>
      ) : null}
    </>
  );
}

export function toneOf(run: Run): Tone {
  if (run.ended_at) {
    if (run.outcome === "needs_attention") return "fail";
    return WELL.has(run.outcome ?? run.state) ? "ok" : "plain";
  }
  return run.error || run.pending.length > 0 ? "fail" : "wait";
}
