import { useState } from "react";
import { type Problem, problemOf } from "~/shared/api/errors";

/** One thing under way at a time: whether it runs, why it failed last, how often it worked. */
export function useSending() {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [done, setDone] = useState(0);
  return {
    busy,
    problem,
    done,
    forget: () => setProblem(undefined),
    async send(work: () => Promise<void>): Promise<Problem | undefined> {
      setBusy(true);
      setProblem(undefined);
      try {
        await work();
        setDone((was) => was + 1);
        return undefined;
      } catch (cause) {
        const met = problemOf(cause);
        setProblem(met);
        return met;
      } finally {
        setBusy(false);
      }
    },
  };
}
