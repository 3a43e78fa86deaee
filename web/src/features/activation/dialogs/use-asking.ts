import { useEffect } from "react";
import type { Problem } from "~/shared/api/errors";
import { storeOf } from "~/shared/store";
import type { Action } from "../calls";
import type { Run } from "../session-hook";

/** What the dialog that is open has asked. */
const asked = storeOf<Action | undefined>(undefined);

/** Whether a dialog tells why what was asked last failed: the page behind it does not. */
export function useIsToldInDialog({ failed }: Run): boolean {
  const own = asked.use();
  return own !== undefined && own === failed;
}

/** What a dialog knows of what it asked. */
export type Asking = {
  /** What did not arrive and is unchanged is the same one, sent again. */
  ask(action: Action): void;
  /** It is on its way. */
  busy: boolean;
  /** Why it would not go out now. */
  held: ReturnType<Run["held"]>;
  /** Why it was refused, or did not arrive. */
  problem: Problem | undefined;
  /** It did not arrive: another try may help. */
  passing: boolean;
  close(): void;
};

/** Asks one kind of thing from a dialog, which stays with what was typed until that was taken. */
export function useAsking(run: Run, type: Action["type"], onClose: () => void): Asking {
  const own = asked.use();
  const busy = own !== undefined && run.sent !== undefined && !run.accepted;
  const problem = own !== undefined && own === run.failed ? run.problem : undefined;
  const passing = problem?.passing ?? false;
  const isTaken = own !== undefined && !busy && !problem;
  // whether it goes out hangs on nothing else of it
  const held = busy || isTaken ? undefined : run.held({ type } as Action);
  useEffect(() => {
    if (isTaken) onClose();
  }, [isTaken, onClose]);
  useEffect(() => () => asked.set(undefined), []);
  return {
    held,
    ask(action) {
      if (held) return;
      if (passing && run.again && JSON.stringify(action) === JSON.stringify(own)) run.again();
      else {
        run.ask(action);
        asked.set(action); // afterwards: it is on its way by then
      }
    },
    busy,
    problem,
    passing,
    close() {
      if (problem) run.dismiss();
      onClose();
    },
  };
}

/** The same for a form, at whose fields stands what speaks against them. */
export function useAskingOf(
  form: { refuse: (problem: Problem) => boolean },
  run: Run,
  type: Action["type"],
  onClose: () => void,
): Asking {
  const asking = useAsking(run, type, onClose);
  const { problem } = asking;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each refusal
  useEffect(() => {
    if (problem) form.refuse(problem);
  }, [problem]);
  return asking;
}
